#include <catena/model/joints.hpp>

#include <cmath>

namespace catena {
namespace {

// At the lean s of rows/rim_geometry.hpp, which is computed in another order of operations there.
std::string defect_of_lean(const BodyFrame<double>& f, const Vec3& axis, const Vec3& normal) {
  const double lean = norm(cross(f.R * Vec3((1.0 / norm(axis)) * axis), Vec3((1.0 / norm(normal)) * normal)));
  if (lean > 2.0 * rows::ThinDisc<double>::flat) return {};
  return "the disc lies parallel to its plane, so that no point of its rim is the lowest; let it lean";
}

}  // namespace

std::string DiscContact::defect_at(const BodyFrame<double>* f, double) const {
  return defect_of_lean(f[0], axis, normal);
}

std::string RollingDisc::defect_at(const BodyFrame<double>* f, double) const {
  return defect_of_lean(f[0], axis, normal);
}

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
