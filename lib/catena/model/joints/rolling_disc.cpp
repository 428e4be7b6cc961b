#include <catena/math/detail/printed.hpp>
#include <catena/model/joints.hpp>

#include <cmath>
#include <numbers>
#include <string>

namespace catena {
namespace {

// The sine s of rows/rim_geometry.hpp, which is computed in another order of operations there.
double lean_of(const BodyFrame<double>& f, const Vec3& axis, const Vec3& normal) {
  return norm(cross(f.R * Vec3((1.0 / norm(axis)) * axis), Vec3((1.0 / norm(normal)) * normal)));
}

std::string defect_of_lean(const BodyFrame<double>& f, const Vec3& axis, const Vec3& normal) {
  const double lean = lean_of(f, axis, normal);
  if (lean > 2.0 * rows::ThinDisc<double>::flat) return {};
  return "the disc lies parallel to its plane, so that no point of its rim is the lowest; let it lean";
}

// Near flat the point of contact runs around the rim with 1 / s: steps that follow a fall fail below some degrees.
std::string trouble_of_lean(const BodyFrame<double>& f, const Vec3& axis, const Vec3& normal) {
  constexpr double near_flat = 0.1;
  const double lean = lean_of(f, axis, normal);
  if (!(lean < near_flat)) return {};
  return detail::printed(
      "the disc is %.2g deg from lying flat on its plane, where it has no lowest point; the nearer it is, "
      "the "
      "faster its contact runs around the rim: end the run before",
      std::asin(lean) * 180.0 / std::numbers::pi);
}

}  // namespace

std::string DiscContact::defect_at(const BodyFrame<double>* f, double) const {
  return defect_of_lean(f[0], axis, normal);
}

std::string RollingDisc::defect_at(const BodyFrame<double>* f, double) const {
  return defect_of_lean(f[0], axis, normal);
}

std::string DiscContact::trouble_near(const BodyFrame<double>* f, double, double) const {
  return trouble_of_lean(f[0], axis, normal);
}

std::string RollingDisc::trouble_near(const BodyFrame<double>* f, double, double) const {
  return trouble_of_lean(f[0], axis, normal);
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
