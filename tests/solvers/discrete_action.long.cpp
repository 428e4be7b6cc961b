// The whole run of the paper: 100 s at h = 0.002, and 20 s without gravity.
#include "solvers/discrete_action_support.hpp"

#include <catena/problems/box_chain.hpp>
#include <doctest/doctest.h>

namespace {

using namespace catena;
using namespace catena_test;

}  // namespace

TEST_CASE("box chain over 100 s: energy windows, residuals, plane, iterations") {
  const QuaternionSystem system(BoxChain().model());
  Run run(system, 0.002);
  const double initial = run.energy();
  double lowest = 0.0, highest = 0.0, joints = 0.0, norms = 0.0, arm = 0.0, plane = 0.0;
  const auto advance = [&](int until) {
    while (run.stepper.statistics().steps < until) {
      run.step();
      const double change = run.energy() - initial;
      lowest = std::min(lowest, change);
      highest = std::max(highest, change);
      const std::vector<double> g = run.residual(&Evaluation::position);
      for (std::size_t i = 0; i < g.size(); ++i) {
        double& worst = i < 12 ? joints : norms;
        worst = std::max(worst, std::abs(g[i]));
      }
      const std::vector<double>& q = run.state.q;
      arm = std::max(arm, std::abs(std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]) - 1.5));
      for (std::size_t b = 0; b < 4; ++b) plane = std::max(plane, std::abs(q[7 * b] + q[7 * b + 1]) / std::sqrt(2.0));
    }
  };
  advance(2500);
  CHECK(lowest == doctest::Approx(-0.157).epsilon(0.004));
  CHECK(highest < 1e-9);
  advance(5000);
  CHECK(lowest == doctest::Approx(-0.196).epsilon(0.004));
  CHECK(highest == doctest::Approx(2.1e-5).epsilon(0.03));
  CHECK(plane < 1e-4);
  advance(50000);
  MESSAGE("H - H(0) over 100 s in [", lowest, ", ", highest, "] J, out of plane ", plane, " m");
  CHECK(lowest > -1.5);
  CHECK(highest < 1.5);
  CHECK(norms < 1e-15);
  CHECK(joints < 1e-14);
  CHECK(arm < 1.5e-15);
  CHECK(static_cast<double>(run.stepper.statistics().newton_iterations) / 50000.0 == doctest::Approx(3.0).epsilon(1e-3));
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
