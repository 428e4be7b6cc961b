#include <catena/assembly/roundoff_length.hpp>
#include <catena/model/kernels/disc_contact.hpp>
#include <catena/model/kernels/distance.hpp>

#include <algorithm>
#include <cmath>

namespace catena {
namespace {

double length_of(LaneKernel id, const ElementGroup& g, int lane, const double* q) {
  const LaneIo<double> io{lane};
  if (joins_points(id)) {
    const auto ends = SphericalKernel<double>::load(io, g.parameters);
    const double arms = norm(ends.point_a) + norm(ends.point_b);
    return id == LaneKernel::distance ? arms + DistanceKernel<double>::load(io, g.parameters).length : arms;
  }
  if (id != LaneKernel::disc_contact) return 0.0;
  const auto disc = DiscContactKernel<double>::load(io, g.parameters);
  const double* x = q + g.q_at[0][lane];
  double along = std::abs(disc.offset);
  for (int k = 0; k < 3; ++k) along = std::max(along, std::abs(disc.normal[k] * x[k]));
  return along;
}

}  // namespace

double roundoff_length_of_rows(const ElementLayout& elements, const double* q) {
  double length = 0.0;
  for (const PoolGroups& pool : elements.pools)
    if (pool.constraints && pool.pool->level() == Level::position)
      for (const ElementGroup& g : pool.groups)
        for (int l = 0; l < g.count && g.parameters != nullptr; ++l)
          length = std::max(length, length_of(pool.pool->lane_kernel(), g, l, q));
  return length;
}

}  // namespace catena
