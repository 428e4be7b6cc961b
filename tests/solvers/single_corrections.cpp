// Steps that end with one correction, by the contraction of the steps before, against a whole Newton iteration.
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>
#include <catena/problems/heavy_top.hpp>
#include <catena/problems/n_four_bar.hpp>
#include <catena/problems/rod_chain.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/solvers/lie_dae.hpp>
#include <catena/system/coordinate_system.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace single_corrections_tests {

using namespace catena;
using catena::detail::ChainJoint;

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}

struct End {
  State state;
  StepperStatistics statistics;
};

End run_of(const System& system, Stepper& stepper, double h, int steps) {
  End end{system.initial_state(), {}};
  REQUIRE(stepper.attach(system).status == Status::ok);
  REQUIRE(stepper.start(end.state, h).status == Status::ok);
  for (int k = 0; k < steps; ++k) REQUIRE(stepper.step(end.state, h).status == Status::ok);
  end.statistics = stepper.statistics();
  return end;
}

// Newton's whole iteration, where the next correction follows the square of the last one and none is foreseen.
template <class Options>
Options whole(Options o) {
  o.newton = Options::Newton::exact;
  o.engine.jacobian = JacobianUpdate::every_iteration;
  o.engine.newton_tolerance = 1e-13;
  return o;
}

template <class S, class Options>
void check_against_whole_newton(const System& system, const Options& options, double h, int steps,
                                double most_iterations) {
  S usual(options), exact(whole(options));
  CAPTURE(usual.traits().name);
  const End a = run_of(system, usual, h, steps), b = run_of(system, exact, h, steps);
  CHECK(static_cast<double>(a.statistics.newton_iterations) <= most_iterations * steps);
  CHECK(static_cast<double>(b.statistics.newton_iterations) >= 1.9 * steps);
  // Newton's tolerance is 1e-10 of the bodies' size a step.
  CHECK(distance(a.state.q, b.state.q) < 1e-10);
  CHECK(distance(a.state.v, b.state.v) < 1e-8);
}

TEST_CASE(
    "smooth motion without gyroscopic terms takes little more than one correction a step, and ends where "
    "Newton's whole iteration does") {
  const MultibodySystem system(RodChain({.n = 10, .joint = ChainJoint::revolute}).model());
  check_against_whole_newton<GeneralizedAlpha>(system, GeneralizedAlphaOptions{}, 1e-3, 300, 1.3);
  check_against_whole_newton<LieDae>(system, LieDaeOptions{}, 1e-3, 300, 1.3);
}

// A symmetric matrix leaves the skew part of the gyroscopic terms out: what a single correction left of them was small in every
// step, and 6.7e-7 m after 20 s of a top that turns 24 times a second.
TEST_CASE("what the symmetric matrix leaves out of fast spin does not add up") {
  const MultibodySystem system(HeavyTop().model());
  for (const double h : {1e-4, 4e-4}) {
    CAPTURE(h);
    GeneralizedAlpha usual, exact(whole(GeneralizedAlphaOptions{}));
    const int steps = static_cast<int>(std::lround(0.5 / h));
    const End a = run_of(system, usual, h, steps), b = run_of(system, exact, h, steps);
    CHECK(distance(a.state.q, b.state.q) < 2e-11);
  }
}

// A pendulum of 1 m between two stiff stops that begin at x = -0.2 m and 0.3 m: forces with kinks.
struct BetweenStops {
  static constexpr int coordinates = 2;
  static constexpr const char* name = "between_stops";
  template <class S>
  Mat<S, 2, 2> mass(const Vec<S, 2>&) const {
    return Mat<S, 2, 2>::Identity();
  }
  template <class S>
  Vec<S, 2> force(const Vec<S, 2>& q, const Vec<S, 2>&, const S&) const {
    const S zero(0.0), left = S(-0.2) - q[0], right = q[0] - S(0.3);
    const double stiffness = 1e5;
    return {{S(stiffness) * (left > zero ? left : zero) - S(stiffness) * (right > zero ? right : zero),
             S(-9.81)}};
  }
  template <class S>
  Vec<S, 1> gap(const Vec<S, 2>& q, const S&) const {
    return {{S(0.5) * (q[0] * q[0] + q[1] * q[1] - S(1.0))}};
  }
};

// Every contact amplifies roundoff: after many of them two whole iterations are as far apart.
TEST_CASE(
    "kinks of forces between the prediction and the end of a step cost no more than Newton's tolerance") {
  const double x = 0.25;
  const CoordinateSystem<BetweenStops> system({}, {{x, -std::sqrt(1.0 - x * x)}},
                                              {{1.0, x / std::sqrt(1.0 - x * x)}});
  check_against_whole_newton<GeneralizedAlpha>(system, GeneralizedAlphaOptions{}, 1e-3, 800, 2.0);
}

// Single corrections that were held to q alone let the friction of so small a link flip, and the next prediction amplified it.
TEST_CASE("a small link that sticks by regularised friction swings with its carrier") {
  const Vec3 along{{0.0, 1.0, 0.0}};
  for (const double friction : {0.3, 0.5, 1.1}) {
    CAPTURE(friction);
    Model model;
    model.gravity = {{0.0, 0.0, -9.81}};
    const BodyId carrier = model.add(Body{.name = "carrier",
                                          .mass = 1.0,
                                          .inertia = diagonal(Vec3{{0.01, 0.01, 0.01}}),
                                          .position = {{0.1, 0.0, 0.0}}});
    const BodyId link = model.add(Body{.name = "link",
                                       .mass = 0.01,
                                       .inertia = diagonal(Vec3{{2e-6, 2e-6, 2e-6}}),
                                       .position = {{0.25, 0.0, 0.0}}});
    model.add(RevoluteJoint{
        .bodies = {ground, carrier}, .point_b = {{-0.1, 0.0, 0.0}}, .axis_a = along, .axis_b = along});
    const ConstraintId hinge = model.add(RevoluteJoint{.bodies = {carrier, link},
                                                       .point_a = {{0.1, 0.0, 0.0}},
                                                       .point_b = {{-0.05, 0.0, 0.0}},
                                                       .axis_a = along,
                                                       .axis_b = along});
    model.add(JointForce{.joint = hinge, .friction = friction, .friction_rate = 1e-4});
    const MultibodySystem system(std::move(model));
    GeneralizedAlpha stepper;
    State state = system.initial_state();
    const RunResult result = run(system, stepper, state, {.step = 1e-3, .end = 0.05}, Listeners{});
    CHECK(result.status == Status::ok);
    CHECK(result.rejected < 60);
    CHECK(std::abs(state.v[10] - state.v[4]) < 1e-3);  // about y
  }
}

TEST_CASE("mechanisms with redundant rows take whole iterations") {
  const MultibodySystem system(NFourBar({.n = 1, .joints = WindowJoints::hinges}).model());
  GeneralizedAlpha stepper;
  CHECK(run_of(system, stepper, 1e-3, 100).statistics.newton_iterations >= 200);
}

}  // namespace single_corrections_tests
