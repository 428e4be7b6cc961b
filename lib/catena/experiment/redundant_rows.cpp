#include <catena/experiment/detail/redundant_rows.hpp>
#include <catena/sparse/backends/detail/spqr.hpp>

namespace catena::detail {

Redundancy redundant_rows(const System& system, const State& state) {
  return find_redundancy(system, state,
                         [](const BlockMatrix& m, const RankOptions& o) { return rank_of_rows(m, o); });
}

}  // namespace catena::detail
