#include <catena/assembly/reach.hpp>
#include <catena/math/index.hpp>

#include <algorithm>

namespace catena {
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

bool sees_world_positions(const ElementLayout& elements) {
  return std::any_of(elements.pools.begin(), elements.pools.end(), [](const PoolGroups& part) {
    return position_rows(part) && part.stage.positions == PositionUse::world;
  });
}

int leading_lengths(const ElementPool& pool) {
  int rows = 0;
  for (const RowGroup& group : pool.plan().groups) {
    if (group.meaning.unit != RowUnit::length) break;
    rows += group.rows;
  }
  return rows;
}

}  // namespace catena
