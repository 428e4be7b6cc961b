// SuiteSparseQR: multifrontal QR. Davis, ACM TOMS 38 (2011), algorithm 915. Slow, but it needs nothing of
// the matrix but regularity, and it finds dependent rows: the oracle of the other back ends.
#pragma once
#include <catena/sparse/detail/rank.hpp>
#include <catena/sparse/linear_solver.hpp>

namespace catena::detail {

// QR of the whole matrix, equilibrated first (Ruiz), so that rows of very different size do no harm.
std::unique_ptr<LinearSolver> make_spqr();

// Rank of the rows of C, each scaled to length 1, by rank-revealing QR of the transpose; the blocks are read
// from the left null space (y with y^T C = 0). For set-up and for suspicious pivots, not for every step.
RankReport rank_of_rows(const BlockMatrix& matrix, const RankOptions& options = {});

}  // namespace catena::detail
