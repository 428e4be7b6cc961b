// The numbers of a KKT system, one slot a block, written in place by the owner of the block.
#pragma once
#include <catena/sparse/parts/block_pattern.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace catena {

// A dense block in strided storage: entry (i, j) at data[(i * cols + j) * stride].
struct BlockRef {
  double* data;
  int rows, cols, stride;
  double& operator()(int i, int j) const { return data[(i * cols + j) * stride]; }
};
struct ConstBlockRef {
  const double* data;
  int rows, cols, stride;
  double operator()(int i, int j) const { return data[(i * cols + j) * stride]; }
};

// How B relates to C.
enum class Border : std::uint8_t {
  transposed,  // B = C^T, stored once; Bt(k) is C(k)
  separate     // two slots per incidence
};

// 64-byte aligned array of doubles that never reallocates after construction.
class AlignedArray {
 public:
  AlignedArray() = default;
  explicit AlignedArray(std::size_t size);
  double* data() { return data_.get(); }
  const double* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  void fill(double value);

 private:
  struct Free {
    void operator()(double* p) const;
  };
  std::unique_ptr<double[], Free> data_;
  std::size_t size_ = 0;
};

// Where the blocks of one kind lie. Blocks of the same shape share a pool in which eight of them are
// interleaved: the block at place p of its shape has entry e at base + (p / 8) * 8 * entries + e * 8 + p % 8,
// so that eight neighbours are read as packs. The stride is 8 throughout.
struct LaneLayout {
  std::vector<std::uint32_t> offset;  // of entry 0 of every block [doubles]
  std::size_t size = 0;               // doubles in all, a multiple of 8
  // shape: entries per block, place: position among blocks of that shape (empty: by appearance)
  static LaneLayout make(const std::vector<int>& rows, const std::vector<int>& cols,
                         const std::vector<int>& place);
};

// Where every block of a matrix with this pattern lies; the same for every BlockMatrix on it.
struct MatrixLayout {
  LaneLayout H, incidence, coupling, coupling_t;  // coupling: H_ij of Coupling{i, j}; coupling_t: H_ji
  explicit MatrixLayout(const BlockPattern& pattern);
};

class BlockMatrix {
 public:
  static constexpr int stride = 8;

  BlockMatrix(std::shared_ptr<const BlockPattern> pattern, Border border);

  const BlockPattern& pattern() const { return *pattern_; }
  std::shared_ptr<const BlockPattern> shared_pattern() const { return pattern_; }
  Border border() const { return border_; }

  BlockRef H(int primal);          // diagonal block, n x n
  BlockRef H_upper(int coupling);  // H_ij of couplings[coupling], n_i x n_j
  BlockRef H_lower(int coupling);  // H_ji, n_j x n_i
  BlockRef C(int incidence);       // rows x n
  BlockRef Bt(int incidence);      // rows x n: the transpose of B's block
  double* D(int dual);             // the diagonal of D (compliance), `rows` values, stride 1
  // Dual proximal term, `rows` values: factorisations see D + proximal, multiply() sees D alone, so that
  // Newton or refinement removes its effect (design 4.3).
  double* proximal(int dual);
  ConstBlockRef H(int primal) const;
  ConstBlockRef H_upper(int coupling) const;
  ConstBlockRef H_lower(int coupling) const;
  ConstBlockRef C(int incidence) const;
  ConstBlockRef Bt(int incidence) const;
  const double* D(int dual) const;
  const double* proximal(int dual) const;

  // Raw pools for kernels that write eight neighbouring slots at once; offsets from the layouts.
  double* H_pool() { return H_.data(); }
  double* coupling_pool() { return written(coupling_).data(); }      // H_upper
  double* coupling_t_pool() { return written(coupling_t_).data(); }  // H_lower
  double* C_pool() { return C_.data(); }
  double* Bt_pool() { return border_ == Border::separate ? B_.data() : C_.data(); }
  const double* H_pool() const { return H_.data(); }
  const double* coupling_pool() const { return coupling_.data(); }
  const double* coupling_t_pool() const { return coupling_t_.data(); }
  const double* C_pool() const { return C_.data(); }
  const double* Bt_pool() const { return border_ == Border::separate ? B_.data() : C_.data(); }
  const LaneLayout& incidence_layout() const { return layout_->incidence; }

  void set_zero();  // all but the proximal term
  void zero_couplings();
  // False: all couplings are zero, because none was asked for to write to since they were.
  bool has_couplings() const { return has_couplings_; }
  std::size_t bytes() const;

  // y = A x (primal first); x and y of pattern().dimension() values, not aliased. Allocates nothing.
  void multiply(const double* x, double* y) const;

 private:
  AlignedArray& written(AlignedArray& couplings) {
    has_couplings_ = true;
    return couplings;
  }

  std::shared_ptr<const BlockPattern> pattern_;
  std::shared_ptr<const MatrixLayout> layout_;
  Border border_;
  bool has_couplings_ = false;
  AlignedArray H_, coupling_, coupling_t_, C_, B_, D_, proximal_;
};

}  // namespace catena
