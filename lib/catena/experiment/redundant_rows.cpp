#include <catena/assembly/parts/body_system.hpp>
#include <catena/experiment/detail/redundant_rows.hpp>
#include <catena/measure/detail/open_reactions.hpp>
#include <catena/sparse/backends/detail/rank_of_rows.hpp>

#include <fmt/format.h>

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

std::vector<std::string> forces_of_open_reactions(const Model& model, const Redundancy& redundancy) {
  std::vector<std::string> sentences;
  for (std::size_t k = 0; k < model.forces().size(); ++k) {
    const Model::ElementRef& force = model.forces()[k];
    const ReactionOf read = model.pools()[static_cast<std::size_t>(force.pool)]->reaction_of(force.element);
    const Redundancy::Open* open =
        read.rows == 0 || !read.matters ? nullptr : redundancy.open_of(static_cast<int>(read.joint));
    if (open == nullptr) continue;
    Redundancy::Open seen;
    for (std::size_t c = 0; c < 3; ++c) seen.force[c] = open->force[c] && read.axes[c];
    if (const std::string which = components(seen); !which.empty())
      sentences.push_back(fmt::format("{} follows {} of {}, which redundant rows leave open",
                                      model.force_label(ForceId{static_cast<int>(k)}), which,
                                      model.constraint_label(read.joint)));
  }
  return sentences;
}

}  // namespace catena::detail
