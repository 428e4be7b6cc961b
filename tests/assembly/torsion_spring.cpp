// Torsion springs over full turns: derivatives, energy, and a user's force whose discrete values follow the motion.
#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/generalized_alpha.hpp>

#include "support/jacobian_check.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace torsion_spring_tests {
using namespace catena;
using namespace catena::detail;

constexpr double pi = std::numbers::pi;
constexpr double J = 0.2, k = 3.0;

// A wheel about z on the ground, at rest at an angle, and a spring.
template <class Spring>
Model wheel(double angle, double spin, Spring spring) {
  Model model;
  model.gravity = Vec3::Zero();
  spring.bodies = {ground,
                   model.add(Body{.name = "wheel",
                                  .inertia = diagonal(Vec3{{0.3, 0.3, J}}),
                                  .orientation = {std::cos(0.5 * angle), 0.0, 0.0, std::sin(0.5 * angle)},
                                  .angular_velocity = {{0.0, 0.0, spin}}})};
  model.add(RevoluteJoint{.bodies = spring.bodies});
  model.add(spring);
  return model;
}

// The same force as a user writes it: the angle is the first value, the second counts calls of follow.
struct UsersSpring {
  static constexpr int discrete = 2;
  std::array<BodyId, 2> bodies;
  double free_angle = 0.0;
  template <class S>
  S twist(const BodyFrame<S>& B, const double* counted) const {
    const S theta = atan2(B.R(1, 0), B.R(0, 0));
    return theta + 2.0 * pi * std::round((counted[0] - plain(theta)) / (2.0 * pi)) - free_angle;
  }
  template <class S>
  std::array<Vec<S, 6>, 2> wrench(const BodyFrame<S>&, const BodyFrame<S>& B, const S&,
                                  const double* counted) const {
    std::array<Vec<S, 6>, 2> w{Vec<S, 6>::Zero(), Vec<S, 6>::Zero()};
    w[1][5] = -k * twist(B, counted);
    w[0][5] = -w[1][5];
    return w;
  }
  template <class S>
  S potential(const BodyFrame<S>&, const BodyFrame<S>& B, const S&, const double* counted) const {
    const S s = twist(B, counted);
    return 0.5 * k * s * s;
  }
  void follow(const BodyFrame<double>* f, double* values) const {
    values[0] = twist(f[1], values) + free_angle;
    values[1] += 1.0;
  }
};

struct Swing {
  double largest = 0.0, energy_change = 0.0, angle_error = 0.0;
};
// From rest at 9 pi off the free angle: s = s0 + 9 pi cos(omega t).
template <class System>
Swing swing(const System& system, Stepper& stepper, double free_angle, double h) {
  State s = system.initial_state();
  const double omega = std::sqrt(k / J), initial = system.energy(point_of(s)).total();
  REQUIRE(initial == doctest::Approx(0.5 * k * 81.0 * pi * pi).epsilon(1e-12));
  Swing seen;
  struct Watch : Observer {
    const System& system;
    Swing& seen;
    double omega, initial, free_angle;
    Watch(const System& all, Swing& out, double w, double energy, double s0)
        : system(all), seen(out), omega(w), initial(energy), free_angle(s0) {}
    bool observe(const State& now) override {
      const double angle = now.discrete[0], exact = free_angle + 9.0 * pi * std::cos(omega * now.t);
      seen.largest = std::max(seen.largest, std::abs(angle - free_angle));
      seen.angle_error = std::max(seen.angle_error, std::abs(angle - exact));
      seen.energy_change =
          std::max(seen.energy_change, std::abs(system.energy(point_of(now)).total() - initial) / initial);
      return true;
    }
  } watch(system, seen, omega, initial, free_angle);
  Listeners listeners;
  listeners.observers = {&watch};
  const RunResult result = run(system, stepper, s, {.step = h, .end = 4.0}, listeners);
  CAPTURE(result.culprit.name);
  CAPTURE(s.t);
  REQUIRE(result.status == Status::ok);
  return seen;
}

}  // namespace torsion_spring_tests
using namespace torsion_spring_tests;

TEST_CASE("torsion spring: derivatives are those of the moment, and the moment is that of the potential") {
  const Vec3 a{{0.4, -0.3, 0.8}}, b{{-0.2, 0.9, 0.3}}, c{{1.0, 0.2, -0.1}};
  for (const double damping : {0.0, 0.7}) {
    const TorsionSpring spring{.bodies = {BodyId{0}, BodyId{1}},
                               .axis_a = a,
                               .axis_b = b,
                               .side_a = c,
                               .stiffness = 2.5,
                               .damping = damping,
                               .free_angle = 7.0};
    CHECK_NOTHROW(support::check_derivatives(spring));
  }
  // The virtual work of the moment is the loss of potential along a turn about any axis of either body.
  const auto kernel =
      TorsionSpring{
          .bodies = {BodyId{0}, BodyId{1}}, .axis_a = a, .axis_b = b, .stiffness = 2.5, .free_angle = 7.0}
          .kernel<double>();
  BodyFrame<double> f[2];
  const Quat turned[2] = {normalized(Quat{0.7, 0.2, -0.5, 0.1}), normalized(Quat{0.3, -0.6, 0.4, 0.5})};
  for (int i = 0; i < 2; ++i) f[i] = {Vec3::Zero(), rotation_matrix(turned[i]), Vec3::Zero(), Vec3::Zero()};
  Vec<double, 6> w[2];
  kernel.wrench(f, 0.0, w);
  const double d = 1e-5;  // d^2 + eps / d, of numbers of 50 J
  for (int i = 0; i < 2; ++i)
    for (int axis = 0; axis < 3; ++axis) {
      double potential[2];
      for (int side = 0; side < 2; ++side) {
        BodyFrame<double> moved[2] = {f[0], f[1]};
        moved[i].R = f[i].R * rotation_matrix(exponential(Vec3((side == 0 ? d : -d) * Vec3::Unit(axis))));
        potential[side] = kernel.potential(moved, 0.0);
      }
      CHECK(std::abs((potential[0] - potential[1]) / (2.0 * d) + w[i][3 + axis]) < 1e-7);
    }
}

TEST_CASE("a torsion spring winds over several turns without a jump, and keeps the energy") {
  for (const double start : {0.3, -3.0}) {
    // It starts in (-pi, pi]; the free angle is nine half turns away.
    const double away = start - 9.0 * pi;
    const MultibodySystem system(
        wheel(start, 0.0, TorsionSpring{.bodies = {}, .stiffness = k, .free_angle = away}));
    GeneralizedAlpha alpha({.rho_inf = 1.0, .index = GeneralizedAlphaOptions::Index::two});
    DormandPrince dormand_prince;
    // Of index 2 and without damping it is the trapezoidal rule, which keeps the energy of an oscillator. Its phase is off by
    // omega t (omega h)^2 / 12 = 2e-5 of 9 pi. The other has a tolerance of 1e-8 of 28 rad in each step.
    const Swing a = swing(system, alpha, away, 1e-3), b = swing(system, dormand_prince, away, 1e-3);
    CHECK(a.largest == doctest::Approx(9.0 * pi).epsilon(1e-6));
    CHECK(a.angle_error < 6e-4);
    CHECK(a.energy_change < 1e-12);
    CHECK(b.angle_error < 1e-6);
    CHECK(b.energy_change < 1e-7);
  }
}

TEST_CASE("a user's force counts turns like the built-in one, and its potential is in the energy") {
  const double start = 0.3, away = start - 9.0 * pi;
  const MultibodySystem users(wheel(start, 0.0, UsersSpring{.bodies = {}, .free_angle = away})),
      built_in(wheel(start, 0.0, TorsionSpring{.bodies = {}, .stiffness = k, .free_angle = away}));
  DormandPrince one, other;
  const Swing a = swing(users, one, away, 1e-3), b = swing(built_in, other, away, 1e-3);
  CHECK(a.angle_error < 1e-6);
  CHECK(a.largest == doctest::Approx(b.largest).epsilon(1e-9));
  CHECK(users.initial_state().discrete[1] == 1.0);
}

TEST_CASE("energies of a wound spring agree in both kinds of coordinates, and need the turns") {
  const double start = 0.3, away = start - 9.0 * pi;
  const Model model = wheel(start, 2.0, TorsionSpring{.bodies = {}, .stiffness = k, .free_angle = away});
  const MultibodySystem six(model);
  const QuaternionSystem seven(model);
  State a = six.initial_state(), b = seven.initial_state();
  a.discrete[0] += 4.0 * pi;
  b.discrete[0] += 4.0 * pi;
  const double wound = 0.5 * k * 169.0 * pi * pi;
  CHECK(six.energy(point_of(a)).potential == doctest::Approx(wound).epsilon(1e-12));
  CHECK(seven.energy(point_of(b)).potential == doctest::Approx(wound).epsilon(1e-12));
  CHECK(six.energy({.q = a.q.data(), .v = a.v.data()}).potential != doctest::Approx(wound).epsilon(1e-3));
}

TEST_CASE("a torsion spring says what is wrong with its sides") {
  CHECK_THROWS_WITH_AS(wheel(0.0, 0.0, TorsionSpring{.bodies = {}, .side_a = Vec3::Unit(2), .name = "coil"}),
                       "force \"coil\" (torsion_spring): side_a must not lie along axis_a", ModelError);
}
