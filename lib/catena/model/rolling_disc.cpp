#include <catena/model/rolling_disc.hpp>

#include <cmath>

namespace catena {

std::array<Vec3, 2> RollingDisc::tangents() const {
  const Vec3 n = (1.0 / norm(normal)) * normal;
  // World x, or y where the normal is nearer to x, made normal to it.
  const Vec3 near = Vec3::Unit(std::abs(n[0]) < 0.8 ? 0 : 1);
  const Vec3 across = near - dot(near, n) * n;
  const Vec3 t = (1.0 / norm(across)) * across;
  return {t, cross(n, t)};
}

DiscContact contact_of(const RollingDisc& disc, const Vec3& plane_point) {
  return {.bodies = disc.bodies,
          .centre = disc.centre,
          .axis = disc.axis,
          .radius = disc.radius,
          .plane_point = plane_point,
          .normal = disc.normal};
}

}  // namespace catena
