// CHOLMOD (Chen, Davis, Hager, Rajamanickam, ACM TOMS 35 (2008), algorithm 887), in two forms. Neither
// pivots: both need H positive definite and independent rows, or a proximal term.
#pragma once
#include <catena/sparse/linear_solver.hpp>

namespace catena::detail {

// "cholmod": simplicial LDL^T of the whole matrix, rows after their bodies (bodies_first_order).
std::unique_ptr<LinearSolver> make_cholmod();

// "cholmod_schur": Cholesky of S = C H^-1 C^T + D, supernodal where it pays. Needs H block diagonal.
std::unique_ptr<LinearSolver> make_cholmod_schur();

}  // namespace catena::detail
