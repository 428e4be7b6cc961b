// Whether rows are redundant, by the weakest pivot of the index-1 system at a start. Where the rank is to be proven: redundancy.hpp.
#pragma once
#include <catena/kkt/kkt_solver.hpp>

namespace catena::detail {

// index_1: the report of the matrix that kkt holds, with its weakest row. Where the pivot alone does not say, factorises three
// times, the last time the same matrix.
bool has_redundant_rows(KktSolver& kkt, const KktReport& index_1);

}  // namespace catena::detail
