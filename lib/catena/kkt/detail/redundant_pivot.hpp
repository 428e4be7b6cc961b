// Whether rows are redundant, by the weakest pivot of the index-1 system at a start. Where the rank is to be proven: redundancy.hpp.
#pragma once
#include <catena/kkt/kkt_solver.hpp>

namespace catena::detail {

// index_1: the report of the matrix that kkt holds, with its weakest row. Where the pivot alone does not say, factorises three
// times, the last time the same matrix.
bool has_redundant_rows(KktSolver& kkt, const KktReport& index_1);

// Whether the rows of the matrix that kkt holds are sound where all bodies are alike heavy. Where has_redundant_rows() says
// yes, and this does, a light body between heavy ones is the reason: what the heavy ones yield is as little beside what the
// light one does as the ratio of their masses, and the elimination loses as many digits. Factorises a second matrix.
bool is_weak_by_masses(const KktSolver& kkt);

}  // namespace catena::detail
