// SuiteSparseQR: multifrontal QR. Davis, ACM TOMS 38 (2011), algorithm 915. Slow, but it needs nothing of
// the matrix but regularity: the oracle of the other back ends.
#pragma once
#include <catena/sparse/linear_solver.hpp>

namespace catena::detail {

// QR of the whole matrix, equilibrated first (Ruiz), so that rows of very different size do no harm.
std::unique_ptr<LinearSolver> make_spqr();

}  // namespace catena::detail
