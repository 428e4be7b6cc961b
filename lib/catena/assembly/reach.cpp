#include <catena/assembly/reach.hpp>
#include <catena/model/kernels/distance.hpp>

#include <algorithm>

namespace catena {
namespace {

double arms_of(LaneKernel id, const ElementGroup& g, int lane) {
  if (!joins_points(id)) return 0.0;
  const LaneIo<double> io{lane};
  const auto ends = SphericalKernel<double>::load(io, g.parameters);
  const double arms = norm(ends.point_a) + norm(ends.point_b);
  return id == LaneKernel::distance ? arms + DistanceKernel<double>::load(io, g.parameters).length : arms;
}

}  // namespace

double longest_arms(const ElementLayout& elements) {
  double length = 0.0;
  for (const PoolGroups& pool : elements.pools)
    if (pool.constraints && pool.pool->level() == Level::position)
      for (const ElementGroup& g : pool.groups)
        for (int l = 0; l < g.count && g.parameters != nullptr; ++l)
          length = std::max(length, arms_of(pool.pool->lane_kernel(), g, l));
  return length;
}

bool sees_world_positions(const ElementLayout& elements) {
  return std::any_of(elements.pools.begin(), elements.pools.end(), [](const PoolGroups& pool) {
    return pool.constraints && pool.pool->level() == Level::position &&
           !joins_points(pool.pool->lane_kernel());
  });
}

}  // namespace catena
