#include <catena/math/detail/large_pages.hpp>
#include <catena/sparse/detail/counted.hpp>
#include <catena/sparse/parts/block_matrix.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <new>
#include <utility>

namespace catena {
using namespace detail;

AlignedArray::AlignedArray(std::size_t size) : size_(size) {
  if (size == 0) return;
  // Large arrays ask for large pages: a stream through 4 KB pages waits for the address translation.
  const std::size_t bytes = size * sizeof(double), unit = bytes >= 2 * large_page ? large_page : 64;
  const std::size_t whole = (bytes + unit - 1) / unit * unit;
  void* p = std::aligned_alloc(unit, whole);
  if (p == nullptr) throw std::bad_alloc();
  if (unit == large_page) ask_for_large_pages(p, whole);
  data_.reset(static_cast<double*>(p));
  fill(0.0);
}

void AlignedArray::fill(double value) { std::fill(data_.get(), data_.get() + size_, value); }

void AlignedArray::Free::operator()(double* p) const { std::free(p); }

LaneLayout LaneLayout::make(const std::vector<int>& rows, const std::vector<int>& cols,
                            const std::vector<int>& place) {
  constexpr int width = BlockMatrix::stride;
  struct Pool {
    int count = 0;  // places in use: 1 + the largest one
    std::size_t base = 0;
  };
  std::map<std::pair<int, int>, Pool> pools;
  std::vector<int> where(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    Pool& pool = pools[{rows[k], cols[k]}];
    where[k] = place.empty() ? pool.count : place[k];
    pool.count = std::max(pool.count, where[k] + 1);
  }
  LaneLayout layout;
  for (auto& [shape, pool] : pools) {
    pool.base = layout.size;
    const auto groups = static_cast<std::size_t>((pool.count + width - 1) / width);
    layout.size += groups * static_cast<std::size_t>(width * shape.first * shape.second);
  }
  static_cast<void>(counted(layout.size, "the blocks"));
  layout.offset.resize(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto entries = static_cast<std::size_t>(rows[k] * cols[k]);
    const auto group = static_cast<std::size_t>(where[k] / width);
    const auto lane = static_cast<std::size_t>(where[k] % width);
    const std::size_t base = pools[{rows[k], cols[k]}].base;
    layout.offset[k] = static_cast<std::uint32_t>(base + group * entries * width + lane);
  }
  return layout;
}

MatrixLayout::MatrixLayout(const BlockPattern& p) {
  H = LaneLayout::make(p.primal_size, p.primal_size, {});
  std::vector<int> rows, cols;
  for (const auto& c : p.incidences) {
    rows.push_back(p.dual_size[static_cast<std::size_t>(c.dual)]);
    cols.push_back(p.primal_size[static_cast<std::size_t>(c.primal)]);
  }
  incidence = LaneLayout::make(rows, cols, p.incidence_place);
  rows.clear();
  cols.clear();
  for (const auto& c : p.couplings) {
    rows.push_back(p.primal_size[static_cast<std::size_t>(c.i)]);
    cols.push_back(p.primal_size[static_cast<std::size_t>(c.j)]);
  }
  coupling = LaneLayout::make(rows, cols, p.coupling_place);
  coupling_t = LaneLayout::make(cols, rows, p.coupling_place);
}

BlockMatrix::BlockMatrix(std::shared_ptr<const BlockPattern> pattern, Border border)
    : pattern_(std::move(pattern)), layout_(std::make_shared<MatrixLayout>(*pattern_)), border_(border) {
  const BlockPattern& p = *pattern_;
  H_ = AlignedArray(layout_->H.size);
  coupling_ = AlignedArray(layout_->coupling.size);
  coupling_t_ = AlignedArray(layout_->coupling_t.size);
  C_ = AlignedArray(layout_->incidence.size);
  if (border_ == Border::separate) B_ = AlignedArray(layout_->incidence.size);
  D_ = AlignedArray(static_cast<std::size_t>(p.dual_dimension));
  proximal_ = AlignedArray(static_cast<std::size_t>(p.dual_dimension));
}

namespace {

int at(const std::vector<int>& v, int k) { return v[static_cast<std::size_t>(k)]; }

}  // namespace

BlockRef BlockMatrix::H(int k) {
  const int n = at(pattern_->primal_size, k);
  return {H_.data() + layout_->H.offset[static_cast<std::size_t>(k)], n, n, stride};
}

BlockRef BlockMatrix::H_upper(int k) {
  const ConstBlockRef r = std::as_const(*this).H_upper(k);
  return {coupling_pool() + layout_->coupling.offset[static_cast<std::size_t>(k)], r.rows, r.cols, r.stride};
}

BlockRef BlockMatrix::H_lower(int k) {
  const ConstBlockRef r = std::as_const(*this).H_lower(k);
  return {coupling_t_pool() + layout_->coupling_t.offset[static_cast<std::size_t>(k)], r.rows, r.cols,
          r.stride};
}

BlockRef BlockMatrix::C(int k) {
  const auto& c = pattern_->incidences[static_cast<std::size_t>(k)];
  return {C_.data() + layout_->incidence.offset[static_cast<std::size_t>(k)], at(pattern_->dual_size, c.dual),
          at(pattern_->primal_size, c.primal), stride};
}

BlockRef BlockMatrix::Bt(int k) {
  BlockRef r = C(k);
  r.data = Bt_pool() + layout_->incidence.offset[static_cast<std::size_t>(k)];
  return r;
}

double* BlockMatrix::D(int dual) {
  return D_.data() + (at(pattern_->dual_offset, dual) - pattern_->primal_dimension);
}

double* BlockMatrix::proximal(int dual) {
  return proximal_.data() + (at(pattern_->dual_offset, dual) - pattern_->primal_dimension);
}

namespace {

ConstBlockRef constant(const BlockRef& r) { return {r.data, r.rows, r.cols, r.stride}; }

}  // namespace

// These reuse the others: a reference to const data comes out again. Those of couplings do not, because the others note that a
// coupling may be written to.
ConstBlockRef BlockMatrix::H(int k) const { return constant(const_cast<BlockMatrix*>(this)->H(k)); }
ConstBlockRef BlockMatrix::H_upper(int k) const {
  const auto& c = pattern_->couplings[static_cast<std::size_t>(k)];
  return {coupling_.data() + layout_->coupling.offset[static_cast<std::size_t>(k)],
          at(pattern_->primal_size, c.i), at(pattern_->primal_size, c.j), stride};
}
ConstBlockRef BlockMatrix::H_lower(int k) const {
  const auto& c = pattern_->couplings[static_cast<std::size_t>(k)];
  return {coupling_t_.data() + layout_->coupling_t.offset[static_cast<std::size_t>(k)],
          at(pattern_->primal_size, c.j), at(pattern_->primal_size, c.i), stride};
}
ConstBlockRef BlockMatrix::C(int k) const { return constant(const_cast<BlockMatrix*>(this)->C(k)); }
ConstBlockRef BlockMatrix::Bt(int k) const { return constant(const_cast<BlockMatrix*>(this)->Bt(k)); }
const double* BlockMatrix::D(int k) const { return const_cast<BlockMatrix*>(this)->D(k); }
const double* BlockMatrix::proximal(int k) const { return const_cast<BlockMatrix*>(this)->proximal(k); }

void BlockMatrix::set_zero() {
  zero_couplings();
  for (AlignedArray* a : {&H_, &C_, &B_, &D_}) {
    if (a->size() > 0) a->fill(0.0);
  }
}

void BlockMatrix::zero_couplings() {
  if (!has_couplings_) return;
  has_couplings_ = false;
  for (AlignedArray* a : {&coupling_, &coupling_t_}) {
    if (a->size() > 0) a->fill(0.0);
  }
}

std::size_t BlockMatrix::bytes() const {
  return sizeof(double) * (H_.size() + coupling_.size() + coupling_t_.size() + C_.size() + B_.size() +
                           D_.size() + proximal_.size());
}

namespace {

void add_product(const ConstBlockRef& a, const double* x, double* y) {  // y += a x
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < a.cols; ++j) y[i] += a(i, j) * x[j];
}

void add_transposed_product(const ConstBlockRef& a, const double* x, double* y) {  // y += a^T x
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < a.cols; ++j) y[j] += a(i, j) * x[i];
}

}  // namespace

void BlockMatrix::multiply(const double* x, double* y) const {
  const BlockPattern& p = *pattern_;
  std::fill(y, y + p.dimension(), 0.0);
  for (int k = 0; k < p.primal_count(); ++k) {
    const int o = at(p.primal_offset, k);
    add_product(H(k), x + o, y + o);
  }
  for (std::size_t k = 0; k < p.couplings.size(); ++k) {
    const int oi = at(p.primal_offset, p.couplings[k].i), oj = at(p.primal_offset, p.couplings[k].j);
    add_product(H_upper(static_cast<int>(k)), x + oj, y + oi);
    add_product(H_lower(static_cast<int>(k)), x + oi, y + oj);
  }
  for (std::size_t k = 0; k < p.incidences.size(); ++k) {
    const int od = at(p.dual_offset, p.incidences[k].dual), op = at(p.primal_offset, p.incidences[k].primal);
    add_product(C(static_cast<int>(k)), x + op, y + od);
    add_transposed_product(Bt(static_cast<int>(k)), x + od, y + op);
  }
  for (int k = 0; k < p.dual_dimension; ++k)
    y[p.primal_dimension + k] -= D_.data()[k] * x[p.primal_dimension + k];
}

}  // namespace catena
