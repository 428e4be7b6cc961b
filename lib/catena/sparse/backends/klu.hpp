// KLU: LU with partial pivoting by columns (Gilbert-Peierls) on AMD's ordering. Davis and Palamadai
// Natarajan, ACM TOMS 37 (2010), algorithm 907.
#pragma once
#include <catena/sparse/linear_solver.hpp>

namespace catena {

// Pivots once, then reuses the pivot sequence; pivots anew when pivot growth or the crude condition
// estimate has become a thousand times worse than it was with fresh pivots.
std::unique_ptr<LinearSolver> make_klu();

}  // namespace catena
