// KLU: LU with partial pivoting by columns (Gilbert-Peierls) on AMD's ordering. Davis and Palamadai
// Natarajan, ACM TOMS 37 (2010), algorithm 907.
#pragma once
#include <catena/sparse/linear_solver.hpp>

namespace catena::detail {

// Chooses the pivots of every matrix: the same matrix gives the same bits whatever matrix was factorised before.
std::unique_ptr<LinearSolver> make_klu();

// Pivots once and reuses the pivot sequence. Pivots again when pivot growth or the crude condition estimate is a
// thousand times worse than with fresh pivots (a loss of three digits). Two to three times
// as fast, but its last bits depend on earlier matrices: a resumed run differs in the last bits from one without a break.
std::unique_ptr<LinearSolver> make_klu_refactor();

}  // namespace catena::detail
