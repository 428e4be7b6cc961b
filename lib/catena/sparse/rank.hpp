// What a rank-revealing factorisation tells of the rows of C; the one that computes it is a back end
// (backends/spqr.hpp).
#pragma once
#include <catena/sparse/block_matrix.hpp>

#include <functional>
#include <vector>

namespace catena {

struct RankOptions {
  // A row counts as dependent when, of its length 1 after scaling, less than this is independent of the
  // others. Redundancy of a mechanism is exact only up to the residual of its constraints.
  double tolerance = 1e-9;
  double weight = 1e-6;  // a block takes part in a dependency when its share of the null vector is larger
};

// Blocks of rows that depend on each other.
struct RowDependency {
  int rows = 0;            // how many of their rows are too many
  std::vector<int> duals;  // in ascending order
};

struct RankReport {
  bool computed = false;  // false: out of memory or numbers not finite
  int rows = 0, rank = 0;
  std::vector<RowDependency> dependencies;  // empty when rank == rows
};

// The rank of the rows of C of a matrix; the layers above know the back end only as this.
using RankOracle = std::function<RankReport(const BlockMatrix&)>;

}  // namespace catena
