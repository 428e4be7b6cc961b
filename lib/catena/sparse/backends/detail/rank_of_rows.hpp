// The rank of the rows of C, each scaled to length 1, by a rank-revealing QR of the transpose; the blocks that depend on each
// other are read from the left null space (y with y^T C = 0). For set-up and for suspicious pivots, not for every step.
#pragma once
#include <catena/sparse/detail/rank.hpp>

#include <optional>

namespace catena::detail {

// A matrix by columns.
struct SparseColumns {
  int rows = 0;
  std::vector<int> start{0}, row;  // column j: start[j] ... start[j + 1] - 1
  std::vector<double> value;

  int columns() const { return static_cast<int>(start.size()) - 1; }
};

// R of a QR factorisation. A column is live when it ends in a row that none before it has, dead when it depends on those.
struct RankTriangle {
  SparseColumns R;
  std::vector<int> original;  // the column of the matrix that a column of R comes from
  std::vector<int> live, dead;
};

// Nothing where memory does not suffice.
using RankFactorisation = std::optional<RankTriangle> (*)(const SparseColumns& matrix, double tolerance);
std::optional<RankTriangle> rotations_triangle(const SparseColumns& matrix, double tolerance);
std::optional<RankTriangle> spqr_triangle(const SparseColumns& matrix,
                                          double tolerance);  // where CHOLMOD is built in

RankReport rank_of_rows(const BlockMatrix& matrix, const RankOptions& options, RankFactorisation factorise);
// By SPQR where it is built in, else by plane rotations.
RankReport rank_of_rows(const BlockMatrix& matrix, const RankOptions& options = {});

}  // namespace catena::detail
