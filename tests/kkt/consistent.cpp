// Consistent positions, velocities, accelerations and multipliers.
#include <catena/assembly/multibody_system.hpp>
#include <catena/kkt/consistent.hpp>
#include <catena/model/joints.hpp>
#include <catena/problems/heavy_top.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/problems/simple_pendulum.hpp>

#include "support/mechanisms.hpp"
#include "support/relative.hpp"
#include "support/residual.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace {

using namespace catena;
using namespace catena::detail;
using Vector = std::vector<double>;

Model helix(int n) { return HelixChain({.n = n}).model(); }

struct Consistent {
  explicit Consistent(const System& s)
      : system(s), state(s.initial_state()), kkt(attached(s)), values(s, kkt) {}
  static KktSolver attached(const System& s) {
    KktSolver solver;
    REQUIRE(solver.attach(s, {}).empty());
    return solver;
  }
  double largest(double* Evaluation::*which) const { return catena_test::residual(system, state, which); }

  const System& system;
  State state;
  KktSolver kkt;
  ConsistentValues values;
};

// x^T M y
double product(const System& system, const Vector& q, const Vector& x, const Vector& y) {
  Vector My(y.size());
  Point at;
  at.q = q.data();
  at.a = y.data();
  at.forces = false;
  Evaluation wanted;
  wanted.balance = My.data();
  system.evaluate(at, wanted);
  double sum = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += x[k] * My[k];
  return sum;
}

}  // namespace

TEST_CASE("heavy top: accelerations and multipliers of the reference") {
  const MultibodySystem system(HeavyTop().model());
  Consistent c(system);
  REQUIRE(
      c.values.accelerations(0.0, c.state.q.data(), c.state.v.data(), c.state.a.data(), c.state.lambda.data())
          .status == Status::ok);
  // J_O Omega' of the spinning top, and v' of its centre, to ten digits.
  const double expected[6] = {0.0, -21.3017325444, -30.9608307692, 661.3461692307692308, 0.0, 0.0};
  for (std::size_t k = 0; k < 6; ++k) CHECK(std::abs(c.state.a[k] - expected[k]) < 6e-11 + 1e-13 * 661.0);
  // The force on the ground, +lambda, is what the top does not take: m (g - v').
  const double force[3] = {0.0, 15.0 * 21.3017325444, 15.0 * (30.9608307692 - 9.81)};
  for (std::size_t k = 0; k < 3; ++k) CHECK(std::abs(std::abs(c.state.lambda[k]) - force[k]) < 2e-9);
  CHECK(c.largest(&Evaluation::balance) < 1e-12);
  CHECK(c.largest(&Evaluation::acceleration) < 1e-12);
}

TEST_CASE(
    "project_velocities finds the nearest velocities in the norm of the mass matrix, and says how far") {
  const MultibodySystem system(helix(12));
  Consistent c(system);
  test::Random random(5);
  const Vector wild = random.values(static_cast<int>(c.state.v.size()));
  c.state.v = wild;
  double change = 0.0;
  REQUIRE(c.values.project_velocities(0.0, c.state.q.data(), c.state.v.data(), change).status == Status::ok);
  CHECK(c.largest(&Evaluation::velocity) < 1e-13);
  Vector moved(wild.size());
  double expected = 0.0;
  for (std::size_t k = 0; k < moved.size(); ++k) {
    moved[k] = c.state.v[k] - wild[k];
    expected = std::max(expected, std::abs(moved[k]) / system.layout().scale[k]);
  }
  CHECK(change == catena_test::relative(expected, 1e-12));
  CHECK(change > 0.1);
  // Nothing of the change lies along velocities that the joints admit.
  Vector admitted = random.values(static_cast<int>(c.state.v.size()));
  double unused = 0.0;
  REQUIRE(c.values.project_velocities(0.0, c.state.q.data(), admitted.data(), unused).status == Status::ok);
  CHECK(std::abs(product(system, c.state.q, moved, admitted)) < 1e-12);
  // A second projection has nothing left to do.
  REQUIRE(c.values.project_velocities(0.0, c.state.q.data(), c.state.v.data(), change).status == Status::ok);
  CHECK(change < 1e-12);
}

TEST_CASE("a start lets the roundoff of large positions pass, and no gap beyond it") {
  const auto check = [](double away, double gap) {
    Model model;
    const BodyId a = model.add({.name = "a", .position = {{away, 0.0, 0.0}}});
    const BodyId b = model.add({.name = "b", .position = {{away + gap, 0.0, 0.0}}});
    model.add(SphericalJoint{.bodies = {a, b}});
    const MultibodySystem system(std::move(model));
    Consistent c(system);
    return c.values.check_positions(0.0, c.state.q.data(), 1e-8).status;
  };
  // 32 eps of 1e9 m is 7.1e-6 m, of a metre far below the tolerance.
  CHECK(check(1e9, 1e-6) == Status::ok);
  CHECK(check(1e9, 1e-5) == Status::inconsistent_start);
  CHECK(check(1.0, 0.9e-8) == Status::ok);
  CHECK(check(1.0, 1.1e-8) == Status::inconsistent_start);
}

TEST_CASE("a start measures a gap by the size of the bodies") {
  const auto check = [](double length, double gap) {
    Model model;
    const Mat3 inertia = (length * length / 1.5) * Mat3::Identity();  // of this radius of gyration
    const BodyId a = model.add({.name = "a", .inertia = inertia});
    const BodyId b = model.add({.name = "b", .inertia = inertia, .position = {{gap, 0.0, 0.0}}});
    model.add(SphericalJoint{.bodies = {a, b}});
    const MultibodySystem system(std::move(model));
    Consistent c(system);
    return c.values.check_positions(0.0, c.state.q.data(), 1e-8).status;
  };
  // beside the tolerance 32 eps of a unit quaternion, 7e-15
  for (const double length : {1.0, 1e-2, 1e-5}) {
    CAPTURE(length);
    CHECK(check(length, 0.9e-8 * length) == Status::ok);
    CHECK(check(length, 1.1e-8 * length + 2e-14) == Status::inconsistent_start);
  }
}

TEST_CASE("project_positions closes the joints, and says how far bodies moved") {
  const MultibodySystem system(helix(12));
  Consistent c(system);
  test::Random random(3);
  const Vector shake = random.values(static_cast<int>(c.state.v.size()), 0.02);
  system.retract(c.state.q.data(), shake.data(), c.state.q.data());
  CHECK(c.largest(&Evaluation::position) > 1e-3);
  const KktReport before = c.values.check_positions(0.0, c.state.q.data(), 1e-9);
  CHECK(before.status == Status::inconsistent_start);
  CHECK(before.culprit.name.rfind("joint \"joint ", 0) == 0);
  double change = 0.0;
  REQUIRE(c.values.project_positions(0.0, c.state.q.data(), 1e-14, change).status == Status::ok);
  CHECK(c.largest(&Evaluation::position) <= 1e-14);
  CHECK(change > 1e-3);
  CHECK(change < 2.0);
  CHECK(c.values.check_positions(0.0, c.state.q.data(), 1e-9).status == Status::ok);
}

TEST_CASE("project_positions names a joint that cannot be closed") {
  Model model;
  const BodyId rod = model.add(Body{.name = "rod", .position = {{0.5, 0.0, 0.0}}});
  model.add(SphericalJoint{.bodies = {ground, rod}, .point_b = {{-0.5, 0.0, 0.0}}, .name = "left"});
  model.add(SphericalJoint{
      .bodies = {ground, rod}, .point_a = {{3.0, 0.0, 0.0}}, .point_b = {{0.5, 0.0, 0.0}}, .name = "right"});
  const MultibodySystem system(std::move(model));
  Consistent c(system);
  double change = 0.0;
  const KktReport r = c.values.project_positions(0.0, c.state.q.data(), 1e-10, change);
  CHECK(r.status != Status::ok);
  CHECK((r.culprit.name == "joint \"left\" (spherical)" || r.culprit.name == "joint \"right\" (spherical)"));
}
