#include <catena/assembly/detail/reach.hpp>
#include <catena/math/detail/index.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace catena::detail {
namespace {

// The groups of rows that begin with the points of this stage.
double arms_of(const PoolGroups& part, const ElementGroup& g, int lane) {
  const auto entry = [&](int e) { return g.parameters[8 * e + lane]; };
  double arms = 0.0;
  for (int i = 0; i < part.stage.points; ++i)
    arms += norm(Vec3{{entry(3 * i), entry(3 * i + 1), entry(3 * i + 2)}});
  for (const RowGroup& rows : part.pool->plan().groups)
    if (rows.parameter == part.stage.parameter && rows.meaning.length_parameter >= 0)
      arms += entry(rows.meaning.length_parameter);
  return arms;
}

bool position_rows(const PoolGroups& part) {
  return part.constraints && part.pool->level() == Level::position;
}

}  // namespace

double longest_arms(const ElementLayout& elements) {
  double length = 0.0;
  for (const PoolGroups& part : elements.pools)
    if (position_rows(part) && part.stage.positions == PositionUse::difference)
      for (const ElementGroup& g : part.groups)
        for (int l = 0; l < g.count && g.parameters != nullptr; ++l)
          length = std::max(length, arms_of(part, g, l));
  return length;
}

std::vector<double> reach_of_constraints(const ElementLayout& elements, const SystemLayout& layout,
                                         const std::vector<double>& size) {
  const BlockPattern& p = *layout.pattern;
  std::vector<double> reach(index(p.dual_count()), 0.0);
  std::vector<std::uint8_t> known(reach.size(), 0);
  for (const PoolGroups& part : elements.pools)
    if (position_rows(part) && part.stage.positions == PositionUse::difference)
      for (const ElementGroup& g : part.groups)
        for (int l = 0; l < g.count && g.parameters != nullptr; ++l) {
          const std::size_t d = index(p.block_of(p.primal_dimension + g.lambda_at[l]));
          reach[d] = std::max(reach[d], arms_of(part, g, l));
          known[d] = 1;
        }
  for (const auto& [dual, primal] : p.incidences)
    reach[index(dual)] = std::max(reach[index(dual)], size[index(primal)]);
  for (std::size_t d = 0; d < reach.size(); ++d)
    if (known[d] == 0 || reach[d] == 0.0) reach[d] = layout.reach;
  return reach;
}

std::vector<PlaceRows> place_rows_of(const Model& model, const ElementLayout& elements) {
  std::vector<PlaceRows> found;
  for (std::size_t c = 0; c < model.constraints().size(); ++c) {
    const Model::ElementRef& ref = model.constraints()[c];
    const ElementPool& pool = *model.pools()[index(ref.pool)];
    if (pool.level() != Level::position) continue;
    const std::vector<Stage>& stages = pool.plan().stages;
    if (std::none_of(stages.begin(), stages.end(),
                     [](const Stage& s) { return s.positions == PositionUse::world; }))
      continue;
    PlaceRows rows;
    rows.dual = static_cast<int>(c);
    for (int i = 0; i < pool.bodies(); ++i) {
      const BodyId id = pool.body(ref.element, i);
      if (id == ground) continue;
      const int block = elements.block_of_body[index(static_cast<int>(id))];
      if (block >= 0)
        rows.q_at[index(i)] = 7 * block;
      else
        for (int k = 0; k < 3; ++k) rows.fixed = std::max(rows.fixed, std::abs(model.body(id).position[k]));
    }
    found.push_back(rows);
  }
  return found;
}

int leading_lengths(const ElementPool& pool) {
  int rows = 0;
  for (const RowGroup& group : pool.plan().groups) {
    if (group.meaning.unit != RowUnit::length) break;
    rows += group.rows;
  }
  return rows;
}

}  // namespace catena::detail
