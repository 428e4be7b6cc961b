// KLU: LU with partial pivoting by columns (Gilbert-Peierls) on AMD's ordering. Davis and Palamadai
// Natarajan, ACM TOMS 37 (2010), algorithm 907.
#pragma once
#include <catena/sparse/linear_solver.hpp>

namespace catena {

// Chooses its pivots for every matrix anew: the same matrix gives the same bits whatever came before it.
std::unique_ptr<LinearSolver> make_klu();

// Pivots once, then reuses the pivot sequence; pivots anew when pivot growth or the crude condition
// estimate has become a thousand times worse than it was with fresh pivots. Two to three times as fast, but its last
// bits depend on the matrices before: a run that goes on from a checkpoint is not that of one run to the bit.
std::unique_ptr<LinearSolver> make_klu_refactor();

}  // namespace catena
