// Mechanisms whose eigenvalues are known.
#pragma once
#include <catena/assembly/multibody_system.hpp>
#include <catena/linear/linear_analysis.hpp>
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/marker.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

namespace catena::test {

// Point masses on massless rods, hanging from the ground along -z.
inline Model hanging_chain(int n, double length = 1.0, double gravity = 1.0) {
  Model model;
  model.gravity = {{0.0, 0.0, -gravity}};
  BodyId above = ground;
  for (int k = 0; k < n; ++k) {
    const Vec3 at{{0.0, 0.0, -length * (k + 1)}};
    const BodyId bead = model.add(Body{.inertia = 1e-3 * Mat3::Identity(), .position = at});
    model.add(DistanceConstraint{.bodies = {above, bead}, .length = length});
    above = bead;
  }
  return model;
}

// Zero number `number` (from 0, ascending) of the Laguerre polynomial L_n, by Newton's method on the recurrence
// (k + 1) L_{k+1} = (2 k + 1 - x) L_k - k L_{k-1}, x L_n' = n (L_n - L_{n-1}), from a start near it.
inline double laguerre_zero(int n, double start) {
  long double x = start;
  for (int step = 0; step < 100; ++step) {
    long double before = 1.0L, value = 1.0L - x;
    for (int k = 1; k < n; ++k) {
      const long double next = ((2 * k + 1 - x) * value - k * before) / (k + 1);
      before = value, value = next;
    }
    const long double change = value * x / (n * (value - before));
    x -= change;
    if (std::abs(change) < 1e-18L * x) break;
  }
  return static_cast<double>(x);
}

// The benchmark bicycle of J. P. Meijaard, J. M. Papadopoulos, A. Ruina, A. L. Schwab, Proc. R. Soc. A 463 (2007)
// 1955-1982, table 1, upright and straight ahead at a speed [m/s]; x forward, z up, the rear contact in the origin.
inline Model bicycle(double speed) {
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  const double tilt = std::numbers::pi / 10;
  const auto body = [&](const char* name, double mass, const Vec3& at, double xx, double yy, double zz,
                        double xz, double radius) {
    return model.add(Body{.name = name,
                          .mass = mass,
                          .inertia = {{xx, 0.0, xz, 0.0, yy, 0.0, xz, 0.0, zz}},
                          .position = at,
                          .velocity = {{speed, 0.0, 0.0}},
                          .angular_velocity = {{0.0, radius > 0.0 ? speed / radius : 0.0, 0.0}}});
  };
  // The source has z down: products of inertia with z have the other sign.
  const BodyId rear = body("rear wheel", 2.0, {{0.0, 0.0, 0.3}}, 0.0603, 0.12, 0.0603, 0.0, 0.3);
  const BodyId frame = body("rear frame", 85.0, {{0.3, 0.0, 0.9}}, 9.2, 11.0, 2.8, -2.4, 0.0);
  const BodyId fork = body("front frame", 4.0, {{0.9, 0.0, 0.7}}, 0.05892, 0.06, 0.00708, 0.00756, 0.0);
  const BodyId front = body("front wheel", 3.0, {{1.02, 0.0, 0.35}}, 0.1405, 0.28, 0.1405, 0.0, 0.35);
  const Vec3 y = Vec3::Unit(1), steer{{-std::sin(tilt), 0.0, std::cos(tilt)}};
  model.add(joint_at<RevoluteJoint>(model, frame, rear, {.point = {{0.0, 0.0, 0.3}}, .axis = y}, "rear hub"));
  model.add(joint_at<RevoluteJoint>(
      model, frame, fork, {.point = Vec3{{1.1, 0.0, 0.0}} + 0.9 * steer, .axis = steer}, "steering"));
  model.add(
      joint_at<RevoluteJoint>(model, fork, front, {.point = {{1.02, 0.0, 0.35}}, .axis = y}, "front hub"));
  for (const BodyId wheel : {rear, front}) {
    const RollingDisc rolling{.bodies = {wheel}, .axis = y, .radius = wheel == rear ? 0.3 : 0.35};
    model.add(contact_of(rolling));
    model.add(rolling);
  }
  return model;
}

// An upright disc that rolls straight ahead: mass 1, radius r, inertia C about its axis and A across.
inline Model upright_disc(double spin, double r, double C, double A, double g) {
  Model model;
  model.gravity = {{0.0, 0.0, -g}};
  const BodyId disc = model.add(Body{.name = "disc",
                                     .inertia = diagonal(Vec3{{A, C, A}}),
                                     .position = {{0.0, 0.0, r}},
                                     .velocity = {{spin * r, 0.0, 0.0}},
                                     .angular_velocity = {{0.0, spin, 0.0}}});
  const RollingDisc rolling{.bodies = {disc}, .axis = Vec3::Unit(1), .radius = r};
  model.add(contact_of(rolling));
  model.add(rolling);
  return model;
}

// Eigenvalues of a model at its initial state, those with a negative imaginary part left out.
inline std::vector<std::complex<double>> eigenvalues(const Model& model) {
  const MultibodySystem system(model);
  const LinearMotion motion = linearize(system, system.initial_state());
  const Modes modes = find_modes(motion, {.count = 1000});
  std::vector<std::complex<double>> s;
  for (const Mode& m : modes.modes) s.push_back(m.eigenvalue);
  return s;
}

// The distance of the nearest one.
inline double distance_to(const std::vector<std::complex<double>>& s, std::complex<double> wanted) {
  double nearest = INFINITY;
  for (const std::complex<double>& x : s) nearest = std::min(nearest, std::abs(x - wanted));
  return nearest;
}

}  // namespace catena::test
