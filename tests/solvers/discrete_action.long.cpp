// The whole run of the paper: 100 s at h = 0.002, and 20 s without gravity.
#include <catena/problems/box_chain.hpp>
#include <catena/problems/heavy_top.hpp>
#include <catena/problems/rod_chain.hpp>
#include <catena/problems/simple_pendulum.hpp>

#include "solvers/discrete_action_support.hpp"
#include "support/relative.hpp"

#include <doctest/doctest.h>

namespace discrete_action_long_tests {

namespace {

using namespace catena;
using namespace catena::detail;
using namespace catena_test;

}  // namespace

TEST_CASE("box chain over 100 s: energy windows, residuals, plane, iterations") {
  const QuaternionSystem system(BoxChain().model());
  Run run(system, 0.002);
  const double initial = run.energy();
  double lowest = 0.0, highest = 0.0, joints = 0.0, norms = 0.0, arm = 0.0, plane = 0.0, asymmetry = 0.0;
  std::vector<double> before;
  const auto advance = [&](int until) {
    while (run.stepper.statistics().steps < until) {
      before = run.state.q;
      run.step();
      if (run.stepper.statistics().steps % 10 == 0 && until <= 5000)
        asymmetry = std::max(asymmetry, newton_matrix_asymmetry(system, before, run.state.q, run.h));
      const double change = run.energy() - initial;
      lowest = std::min(lowest, change);
      highest = std::max(highest, change);
      const std::vector<double> g = residual_rows(system, run.state, &Evaluation::position);
      for (std::size_t i = 0; i < g.size(); ++i) {
        double& worst = i < 12 ? joints : norms;
        worst = std::max(worst, std::abs(g[i]));
      }
      const std::vector<double>& q = run.state.q;
      arm = std::max(arm, std::abs(std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]) - 1.5));
      for (std::size_t b = 0; b < 4; ++b)
        plane = std::max(plane, std::abs(q[7 * b] + q[7 * b + 1]) / std::sqrt(2.0));
    }
  };
  advance(2500);
  CHECK(lowest == catena_test::relative(-0.157, 0.004));
  CHECK(highest < 1e-9);
  advance(5000);
  CHECK(lowest == catena_test::relative(-0.196, 0.004));
  CHECK(highest == catena_test::relative(2.1e-5, 0.03));
  CHECK(plane < 1e-4);
  MESSAGE("largest asymmetry of the Newton matrix in 10 s: ", asymmetry);
  CHECK(asymmetry == catena_test::relative(1.6e-2, 0.03));
  advance(50000);
  MESSAGE("H - H(0) over 100 s in [", lowest, ", ", highest, "] J, out of plane ", plane, " m");
  CHECK(lowest > -1.5);
  CHECK(highest < 1.5);
  CHECK(norms < 1e-15);
  CHECK(joints < 1e-14);
  CHECK(arm < 1.5e-15);
  // Two, and up to four where the boxes are fast. The motion, and this number with it, depends on roundoff: 3.04 to 3.53 in four
  // runs whose gravity differs in its last places. The factor of the node serves nearly every step.
  CHECK(static_cast<double>(run.stepper.statistics().newton_iterations) / 50000.0 ==
        catena_test::relative(3.3, 0.1));
  CHECK(run.stepper.statistics().factorizations < 51000);
}

TEST_CASE("box chain spinning without gravity: angular momentum drifts by less than 1e-9 in 20 s") {
  BoxChainParameters parameters;
  parameters.gravity = 0.0;
  Model model = BoxChain(parameters).model();
  const Vec3 W{{0.3, -0.5, 0.7}};
  for (int k = 0; k < 4; ++k) {
    Body& b = model.body(BodyId{k});
    b.velocity = cross(W, b.position);
    b.angular_velocity = transpose_times(rotation_matrix(b.orientation), W);
  }
  const QuaternionSystem system(model);
  Run run(system, 0.002);
  const Vec3 before = momentum(system, run.state).angular;
  double drift = 0.0;
  for (int k = 0; k < 10000; ++k) {
    run.step();
    drift = std::max(drift, norm(momentum(system, run.state).angular - before));
  }
  MESSAGE("drift of the angular momentum over 20 s: ", drift, " kg m^2/s");
  CHECK(drift < 1e-9);
}

namespace {

// Position of a reference's subject, world frame.
Vec3 subject_position(const Problem& problem, const QuaternionSystem& system, const State& state,
                      const std::string& subject) {
  const auto bodies = system.bodies(state);
  for (const ObservedPoint& p : problem.observed_points())
    if (p.name == subject) {
      const RigidBodyState& b = bodies[static_cast<std::size_t>(p.body)];
      return b.position + rotation_matrix(b.orientation) * p.point;
    }
  const auto names = system.body_names();
  return bodies[static_cast<std::size_t>(std::find(names.begin(), names.end(), subject) - names.begin())]
      .position;
}

// The method is symmetric: its error has even powers of h alone, so four runs at h, h/2, h/4, h/8 make a value
// of order 8 (Romberg).
double extrapolated_error(const Problem& problem, const Reference& reference, double h) {
  const QuaternionSystem system(problem.model());
  std::vector<Vec3> value;
  for (int k = 0; k < 4; ++k) {
    Run run(system, h / (1 << k));
    run.until(reference.t);
    value.push_back(subject_position(problem, system, run.state, reference.subject));
  }
  double power = 1.0;
  for (int level = 1; level < 4; ++level) {
    power *= 4.0;
    for (int k = 3; k >= level; --k) {
      const auto i = static_cast<std::size_t>(k);
      value[i] = (1.0 / (power - 1.0)) * (power * value[i] - value[i - 1]);
    }
  }
  double error = 0.0;
  for (int i = 0; i < 3; ++i)
    error = std::max(error, std::abs(value.back()[i] - reference.value[static_cast<std::size_t>(i)]));
  return error;
}

void check_references(const Problem& problem, double until, double h) {
  for (const Reference& r : problem.references()) {
    if (r.t > until || r.quantity != "position [m]") continue;
    const double error = extrapolated_error(problem, r, h);
    MESSAGE(problem.summary(), ": ", r.subject, " at t = ", r.t, ", error ", error);
    CHECK(error < 1e-9);
  }
}

}  // namespace

TEST_CASE("extrapolated runs reach the references to 9 digits") {
  check_references(HeavyTop(), 0.1, 5e-4);
  check_references(SimplePendulum(), 1.0, 4e-3);
  for (const ChainJoint joint : {ChainJoint::spherical, ChainJoint::revolute}) {
    for (const int n : {1, 2, 10}) {
      RodChainParameters parameters;
      parameters.n = n;
      parameters.joint = joint;
      check_references(RodChain(parameters), 1.0, 4e-3);
    }
  }
}

}  // namespace discrete_action_long_tests
