// SuiteSparseQR: multifrontal QR. Davis, ACM TOMS 38 (2011), algorithm 915. Slow, but it needs nothing of
// the matrix but regularity, and it tells dependent rows: the oracle of the other back ends.
#pragma once
#include <catena/sparse/linear_solver.hpp>

#include <vector>

namespace catena {

// QR of the whole matrix, equilibrated first (Ruiz), so that rows of very different size do no harm.
std::unique_ptr<LinearSolver> make_spqr();

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

// Rank of the rows of C, each scaled to length 1, by rank-revealing QR of the transpose; the blocks are read
// from the left null space (y with y^T C = 0). Meant for set-up and for suspicion, not for every step.
RankReport rank_of_rows(const BlockMatrix& matrix, const RankOptions& options = {});

}  // namespace catena
