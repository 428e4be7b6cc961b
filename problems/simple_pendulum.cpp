#include <catena/model/joints.hpp>
#include <catena/model/parts/orientation.hpp>
#include <catena/problems/simple_pendulum.hpp>

#include <cmath>
#include <cstddef>
#include <numbers>

namespace catena {
namespace {

// Jacobi's functions of the modulus k^2 = 1/2, which is that of a pendulum released level.
struct EllipticFunctions {
  double sn, cn, dn;
};

// By the arithmetic-geometric mean, which doubles its digits with each of the levels; Abramowitz and Stegun 16.4.
EllipticFunctions elliptic_functions(double u) {
  constexpr std::size_t levels = 6;
  double a[levels] = {1.0}, c[levels] = {std::sqrt(0.5)};
  double b = std::sqrt(0.5);
  for (std::size_t n = 1; n < levels; ++n) {
    a[n] = 0.5 * (a[n - 1] + b);
    c[n] = 0.5 * (a[n - 1] - b);
    b = std::sqrt(a[n - 1] * b);
  }
  double angle = std::ldexp(a[levels - 1] * u, levels - 1);
  for (std::size_t n = levels - 1; n > 0; --n)
    angle = 0.5 * (angle + std::asin(c[n] / a[n] * std::sin(angle)));
  const double sn = std::sin(angle);
  return {sn, std::cos(angle), std::sqrt(1.0 - 0.5 * sn * sn)};
}

}  // namespace

void visit(OptionVisitor& visitor, SimplePendulumParameters& p) {
  visitor.real({"gravity", "m/s^2", "along -y", 0.0, 1e6}, p.gravity);
}

Model SimplePendulum::model() const {
  Model model;
  model.gravity = {{0.0, -p_.gravity, 0.0}};
  const BodyId bob = model.add(Body{.name = "pendulum",
                                    .mass = 2.0,
                                    .inertia = diagonal(Vec3{{0.5, 0.5, 0.5}}),
                                    .position = {{-0.5, 0.0, 0.0}},
                                    .orientation = {0.0, 0.0, 0.0, 1.0}});  // half a turn about z, exactly
  model.add(RevoluteJoint{.bodies = {ground, bob},
                          .point_a = Vec3::Zero(),
                          .point_b = {{-0.5, 0.0, 0.0}},
                          .axis_a = Vec3::Unit(2),
                          .axis_b = Vec3::Unit(2),
                          .name = "pivot"});
  return model;
}

std::vector<ObservedPoint> SimplePendulum::observed_points() const {
  return {{"point", 0, {{0.5, 0.0, 0.0}}}};
}

std::vector<Invariant> SimplePendulum::invariants() const {
  return {
      {"energy", "J", 0.0,
       "released at the height of the pivot; the benchmark library accepts errors below 5e-5 J over 10 s"}};
}

std::vector<Reference> SimplePendulum::references() const {
  if (p_.gravity != SimplePendulumParameters{}.gravity) return {};
  const char* source =
      "exact solution in elliptic functions; problem: IFToMM library of benchmark problems, A01";
  return {
      {1.0, "point", "position [m]", {0.98629175113187531936, -0.16501085312554116875, 0.0}, 20, source},
      {1.0, "point", "velocity [m/s]", {0.29690551591631582156, 1.77464364111265562647, 0.0}, 20, source},
      {5.0, "point", "position [m]", {-0.94230543504375733550, -0.33475433841400058079, 0.0}, 20, source},
      {5.0, "point", "velocity [m/s]", {0.85790425688594907306, -2.41492865437048862260, 0.0}, 20, source},
      {10.0, "point", "position [m]", {-0.27508746257611686005, -0.96141920509912506427, 0.0}, 20, source},
      {10.0, "point", "velocity [m/s]", {4.17559810095172883646, -1.19474905456047527165, 0.0}, 20, source},
  };
}

// The angle from the lowest place is 2 asin(k sn(K + w t)) with w^2 = g and k = sin 45 degrees; sn(K + u) = cn(u)/dn(u).
std::optional<std::vector<RigidBodyState>> SimplePendulum::exact_bodies(double t) const {
  const double w = std::sqrt(p_.gravity);
  const EllipticFunctions at = elliptic_functions(w * t);
  const double half = std::asin(std::sqrt(0.5) * at.cn / at.dn);
  const double heading = -0.5 * std::numbers::pi - 2.0 * half;  // of body x against world x
  const double spin = w * at.sn / at.dn;
  const Vec3 along = {{std::cos(heading), std::sin(heading), 0.0}}, across = {{-along[1], along[0], 0.0}};
  return std::vector<RigidBodyState>{{.position = 0.5 * along,
                                      .orientation = orientation_from_axis_angle(Vec3::Unit(2), heading),
                                      .velocity = (0.5 * spin) * across,
                                      .angular_velocity = {{0.0, 0.0, spin}}}};
}

}  // namespace catena
