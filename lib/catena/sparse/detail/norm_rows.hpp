// A KKT system whose blocks are quaternion bodies (BlockPattern::norm_row), without the norm rows and what they determine.
//
// The norm row c of a body says how far its unknowns d go along c, and its multiplier mu carries what is left of the balance along
// b, the column of B. With unit vectors c^, b^ of the four numbers that c and b see, and the directions G across them,
// G(e) = [-v, w I - v~] for e = (w, v),
//
//     d = G(c^)^T x + c^ a,       a = s / |c|        (s: the right-hand side of the norm row)
//     G(b^) (H d + ...) = G(b^) r,   mu = b^.(r - H d - ...) / |b|
//
// So x has three unknowns in place of the four, and the system in x and the other rows has neither the norm rows nor the direction
// in which H vanishes:
//
//     [ G(b^) H G(c^)^T   G(b^) B ]
//     [ C G(c^)^T        -D       ]
//
// What H, C and B have along the units, H c^, b^ H, C c^ and b^ B, is kept for solutions, but where it is roundoff.
#pragma once
#include <catena/sparse/detail/norm_row_kernels.hpp>
#include <catena/sparse/linear_solver.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace catena::detail {

class WithoutNormRows {
 public:
  // Whether the pattern has norm rows.
  static bool has(const BlockPattern& pattern);

  // symmetric: of matrices whose symmetric part counts, with B = C^T.
  WithoutNormRows(std::shared_ptr<const BlockPattern> pattern, Border border, bool symmetric);
  // Another set of numbers.
  WithoutNormRows(const WithoutNormRows& other)
      : WithoutNormRows(other.pattern_, other.small_.border(), other.symmetric_) {}
  WithoutNormRows& operator=(const WithoutNormRows&) = delete;

  // Of the system without norm rows: its blocks, and what take() has made of them.
  const std::shared_ptr<const BlockPattern>& pattern() const { return small_pattern_; }
  const BlockMatrix& matrix() const { return small_; }
  // Findings about the small system as findings about the whole one, and about a norm row of no length.
  FactorReport whole(FactorReport of_small) const;
  FactorReport failed(int body) const;

  // The first body whose norm row has no length in C or B, or one that is no number; -1: there is none.
  int take(const BlockMatrix& matrix);
  // The right-hand side x of the whole system, or with `transposed` of the transposed one, as that of the small one, in
  // values(). Then, with its solution in values(), the whole solution into x.
  void reduce(const double* x, bool transposed);
  void expand(double* x, bool transposed);
  double* values() { return y_.data(); }

  std::size_t bytes() const;

 private:
  struct Pack {
    int rows = 0;
    std::uint32_t from = 0, to = 0;  // of lane 0 in the pools
    std::int32_t body[8] = {};       // see NormRowPack
    std::int32_t at[8] = {};         // the first row, among those of the small system
    double counts[8] = {};
    std::int32_t along = 0;  // of lane 0 in what goes along the units
  };
  // What a solution reads of C or of B: lengths and units of norm rows, and what goes along them.
  struct Side {
    std::vector<double> unit, reciprocal;  // [pack of bodies][4][lane]; [body]
    std::vector<double> of_H, of_rows;     // [pack of bodies][7][lane]; [pack of rows][row][lane]
    std::vector<double> of_couplings[2];   // [coupling][row]: of the block of H at i, that at j
  };
  struct Sides {
    const Side &C, &B;
  };
  Sides sides(bool transposed) const {
    const Side& of_B = symmetric_ ? of_C_ : of_B_;
    return transposed ? Sides{of_B, of_C_} : Sides{of_C_, of_B};
  }
  void make_packs();
  int take_units(const BlockMatrix& matrix, bool of_B);
  template <class Kernel>
  void each_pack(int packs, const Kernel& kernel);
  void take_bodies(const BlockMatrix& matrix);
  void take_rows(const BlockMatrix& matrix, bool of_B);
  void take_compliance(const BlockMatrix& matrix);
  void take_couplings(const BlockMatrix& matrix);
  // Packs of bodies that a solution takes as a whole: where nothing goes along the units, all that are full.
  int packs_alone() const { return alone_ ? pattern_->primal_count() / 8 : 0; }
  int norm_at(int body) const { return norm_at_[static_cast<std::size_t>(body)]; }

  std::shared_ptr<const BlockPattern> pattern_, small_pattern_;
  bool symmetric_, split_;
  const NormRowKernels* kernels_;
  BlockMatrix small_;
  std::vector<int> dual_of_;
  std::vector<int> norm_incidence_,
      norm_at_;              // of each body: of its norm row; where its row is in a solution
  std::vector<int> row_at_;  // of each row of the small system, where it is in a solution
  std::vector<Pack> packs_;
  Side of_C_, of_B_;
  bool alone_ = false;      // nothing goes along the units but roundoff
  bool no_number_ = false;  // of the length that take() has refused
  // Of a solution. along_: a of each body; across_: what the balance of each has along b^; coupled_: H c^ a of its neighbours.
  std::vector<double> y_, along_, across_, coupled_;
  std::vector<double> part_along_;
};

}  // namespace catena::detail
