#include <catena/assembly/parts/body_system.hpp>
#include <catena/experiment/detail/redundant_rows.hpp>
#include <catena/measure/detail/open_reactions.hpp>
#include <catena/sparse/backends/detail/rank_of_rows.hpp>

namespace catena::detail {

Redundancy redundant_rows(const System& system, const State& state) {
  FactoredRows rows(system, state);
  return redundant_rows(rows);
}

Redundancy redundant_rows(FactoredRows& rows) {
  Redundancy found =
      find_redundancy(rows, [](const BlockMatrix& m, const RankOptions& o) { return rank_of_rows(m, o); });
  if (const BodySystem* const bodies = bodies_of(rows.system()))
    find_open_reactions(*bodies, rows.state(), found);
  return found;
}

}  // namespace catena::detail
