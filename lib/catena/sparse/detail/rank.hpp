// The rank and the dependencies of the rows of C, from a rank-revealing factorisation; a back end computes them
// (backends/detail/rank_of_rows.hpp).
#pragma once
#include <catena/sparse/parts/block_matrix.hpp>

#include <functional>
#include <vector>

namespace catena::detail {

struct RankOptions {
  // A row, of length 1 after scaling, is dependent when the part of it that is independent of the others is shorter than
  // this. Redundancy of a mechanism is exact only within the gaps of its joints, which may be 1e-9 at the start.
  double tolerance = 1e-9;
  // A block belongs to a dependency when its share of the null vector is larger. Null vectors are exact to about
  // eps / tolerance = 2e-7; shares of that size are errors.
  double weight = 1e-6;
  // Null vectors that are returned; 0: none.
  int vectors = 0;
};

// Blocks of rows that depend on each other.
struct RowDependency {
  int rows = 0;            // how many of their rows are redundant
  std::vector<int> duals;  // in ascending order
};

struct RankReport {
  bool computed = false;  // false: out of memory or numbers not finite
  int rows = 0, rank = 0;
  std::vector<RowDependency> dependencies;  // empty when rank == rows
  // Vectors y with C^T y = 0 in the units of the rows, one for each redundant row, in the order in which they are found.
  std::vector<std::vector<double>> null_vectors;
};

// The rank of the rows of C of a matrix; the layers above use the back end through this alone.
using RankOracle = std::function<RankReport(const BlockMatrix&, const RankOptions&)>;

}  // namespace catena::detail
