// Motions that problems give by formula: they begin where the model does, satisfy its equations, and agree with digits
// that are published.
#include <catena/assembly/multibody_system.hpp>
#include <catena/problems/knife_edge.hpp>
#include <catena/problems/rolling_disc.hpp>
#include <catena/problems/simple_pendulum.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <vector>

using namespace catena;

namespace {

std::vector<std::unique_ptr<Problem>> problems_with_formulas() {
  std::vector<std::unique_ptr<Problem>> problems;
  problems.push_back(std::make_unique<KnifeEdgeProblem>());
  RollingDiscParameters steady;
  steady.motion = RollingDiscParameters::Motion::steady;
  problems.push_back(std::make_unique<RollingDiscProblem>(steady));
  problems.push_back(std::make_unique<SimplePendulum>());
  return problems;
}

double apart(const Vec3& a, const Vec3& b) { return std::sqrt(dot(a - b, a - b)); }

// Of the orientation, whatever the sign of the quaternion.
double turned(const Quat& a, const Quat& b) {
  const Quat turn = conjugate(a) * b;
  return 2.0 * std::sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
}

}  // namespace

TEST_CASE("exact motions begin in the initial state of the model") {
  for (const std::unique_ptr<Problem>& problem : problems_with_formulas()) {
    CAPTURE(problem->summary());
    const MultibodySystem system(problem->model());
    const RigidBodyState model = system.bodies(system.initial_state()).front();
    const RigidBodyState formula = problem->exact_bodies(0.0).value().front();
    CHECK(apart(model.position, formula.position) <= 1e-14);
    CHECK(turned(model.orientation, formula.orientation) <= 1e-14);
    CHECK(apart(model.velocity, formula.velocity) <= 1e-13);
    CHECK(apart(model.angular_velocity, formula.angular_velocity) <= 1e-13);
  }
}

TEST_CASE("exact velocities are the derivatives of exact positions, and energy is kept") {
  constexpr double h = 1e-4,
                   tolerance = 1e-6;  // central differences: h^2 times third derivatives of some 100
  for (const std::unique_ptr<Problem>& problem : problems_with_formulas()) {
    CAPTURE(problem->summary());
    const Model model = problem->model();
    const Body& body = model.bodies().front();
    const auto energy = [&](const RigidBodyState& b) {
      return 0.5 * body.mass * dot(b.velocity, b.velocity) +
             0.5 * dot(b.angular_velocity, body.inertia * b.angular_velocity) -
             body.mass * dot(model.gravity, b.position);
    };
    const double begin = energy(problem->exact_bodies(0.0).value().front());
    for (const double t : {0.3, 1.0, 2.7}) {
      CAPTURE(t);
      const RigidBodyState before = problem->exact_bodies(t - h).value().front(),
                           at = problem->exact_bodies(t).value().front(),
                           after = problem->exact_bodies(t + h).value().front();
      CHECK(apart((0.5 / h) * (after.position - before.position), at.velocity) <= tolerance);
      const Quat turn = conjugate(before.orientation) * after.orientation;
      const double sign = turn.w < 0.0 ? -1.0 : 1.0;
      const Vec3 rate = (sign / h) * Vec3{{turn.x, turn.y, turn.z}};  // the sine of half the angle over h
      CHECK(apart(rate, at.angular_velocity) <= 1e-4);                // h^2 omega^3 / 6
      CHECK(std::abs(energy(at) - begin) <= 1e-12 * (1.0 + std::abs(begin)));
    }
  }
}

TEST_CASE("the exact pendulum has the published digits") {
  const SimplePendulum problem;
  for (const Reference& known : problem.references()) {
    const RigidBodyState body = problem.exact_bodies(known.t).value().front();
    const Vec3 arm = rotation_matrix(body.orientation) * Vec3{{0.5, 0.0, 0.0}};
    const Vec3 omega = rotation_matrix(body.orientation) * body.angular_velocity;
    const Vec3 is = known.quantity == "position [m]" ? Vec3(body.position + arm)
                                                     : Vec3(body.velocity + cross(omega, arm));
    // w t of 31 rad is rounded to 4e-15, and the mean multiplies that by 1
    for (int k = 0; k < 3; ++k) CHECK(std::abs(is[k] - known.value[static_cast<std::size_t>(k)]) <= 1e-13);
  }
}

TEST_CASE("no formula, no motion") {
  KnifeEdgeParameters sleigh;
  sleigh.offset = 0.1;
  CHECK_FALSE(KnifeEdgeProblem(sleigh).exact_bodies(1.0).has_value());
  CHECK_FALSE(RollingDiscProblem().exact_bodies(1.0).has_value());
  RollingDiscParameters angles;
  angles.form = RollingDiscParameters::Form::euler_angles;
  angles.motion = RollingDiscParameters::Motion::steady;
  CHECK_FALSE(RollingDiscProblem(angles).exact_bodies(1.0).has_value());
}
