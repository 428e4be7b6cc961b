// Radau IIA on the Lie group: orders, constraints, the error that it achieves, stiff forces, and what it refuses.
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/parts/inertia.hpp>
#include <catena/problems/four_bar.hpp>
#include <catena/problems/heavy_top.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/problems/knife_edge.hpp>
#include <catena/solvers/radau.hpp>

#include "solvers/dormand_prince_support.hpp"
#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace catena;
using catena_test::explicit_rk::largest_difference;

namespace {

using Newton = RadauOptions::Newton;

RadauOptions with_tolerance(double tolerance, Newton newton = Newton::automatic) {
  RadauOptions o;
  o.rtol_position = o.atol_position = o.rtol_velocity = o.atol_velocity = tolerance;
  o.newton = newton;
  return o;
}

RadauOptions fixed_step(Newton newton = Newton::automatic) {
  RadauOptions o;
  o.newton = newton;
  o.control = RadauOptions::Control::fixed;
  o.max_newton_iterations = 40;
  return o;
}

double distance(const System& system, const State& a, const State& b) {
  std::vector<double> d(a.v.size());
  system.difference(a.q.data(), b.q.data(), d.data());
  return largest_difference(d, std::vector<double>(d.size()));
}

State end_of(const System& system, const RadauOptions& options, double h, int steps) {
  Radau stepper(options);
  State state = system.initial_state();
  REQUIRE(stepper.attach(system).status == Status::ok);
  REQUIRE(stepper.start(state, h).status == Status::ok);
  for (int k = 0; k < steps; ++k) REQUIRE(stepper.step(state, h).status == Status::ok);
  return state;
}

// log2 of the errors at h and h/2, against h/8.
void check_order(const System& system, const RadauOptions& options, double h, int steps) {
  const State coarse = end_of(system, options, h, steps), fine = end_of(system, options, 0.5 * h, 2 * steps),
              best = end_of(system, options, 0.125 * h, 8 * steps);
  const auto order = [](double at_h, double at_half) { return std::log2(at_h / at_half); };
  const double of[] = {
      order(distance(system, coarse, best), distance(system, fine, best)),
      order(largest_difference(coarse.v, best.v), largest_difference(fine.v, best.v)),
      order(largest_difference(coarse.lambda, best.lambda), largest_difference(fine.lambda, best.lambda))};
  for (const double measured : of) {
    CAPTURE(measured);
    CHECK(std::abs(measured - 5.0) <= 0.05);
  }
}

// With error control to `end`; the work goes to counts.
State run_to(const System& system, const RadauOptions& options, double end,
             StepperStatistics* counts = nullptr) {
  Radau stepper(options);
  State state = system.initial_state();
  const RunResult result = run(system, stepper, state, {.step = end, .end = end, .verdict = false});
  REQUIRE(result.status == Status::ok);
  if (counts != nullptr) *counts = stepper.statistics();
  return state;
}

// Two rods of 1 kg and 1 m; the first hangs on a ball joint, the second at its end by springs in all directions, or for
// stiffness 0 by another ball joint.
Model sprung_pendulum(double stiffness, double damping) {
  Model model;
  model.gravity = Vec3{{0.0, 0.0, -9.81}};
  const Mat3 inertia = diagonal(Vec3{{0.01, 0.1, 0.1}});
  const BodyId first =
      model.add(Body{.name = "first", .mass = 1.0, .inertia = inertia, .position = {{0.5, 0.0, 0.0}}});
  const BodyId second =
      model.add(Body{.name = "second", .mass = 1.0, .inertia = inertia, .position = {{1.5, 0.0, 0.0}}});
  const Vec3 end{{0.5, 0.0, 0.0}};
  model.add(SphericalJoint{.bodies = {ground, first}, .point_b = -end, .name = "pin"});
  if (stiffness == 0.0) {
    model.add(SphericalJoint{.bodies = {first, second}, .point_a = end, .point_b = -end, .name = "middle"});
    return model;
  }
  Bushing bushing{.bodies = {first, second}, .point_a = end, .point_b = -end, .name = "bushing"};
  for (int i = 0; i < 3; ++i) {
    bushing.stiffness(i, i) = stiffness;
    bushing.damping(i, i) = damping;
  }
  model.add(bushing);
  return model;
}

}  // namespace

TEST_CASE("radau is of order 5 in q, v and lambda on the heavy top, by either matrix") {
  const MultibodySystem top(HeavyTop().model());
  check_order(top, fixed_step(Newton::simplified), 1.25e-3, 16);
  check_order(top, fixed_step(Newton::whole), 1.25e-3, 16);
}

TEST_CASE("radau is of order 5 on a chain, on a loop with redundant rows, and with rows at velocity level") {
  check_order(MultibodySystem(HelixChain({.n = 5}).model()), fixed_step(), 0.01, 20);
  check_order(MultibodySystem(FourBar().model()), fixed_step(), 0.02, 10);
  check_order(MultibodySystem(KnifeEdgeProblem().model()), fixed_step(), 0.1, 10);
}

TEST_CASE("radau ends its steps with rows, rates and balance at roundoff, however coarse they are") {
  const MultibodySystem top(HeavyTop().model());
  std::vector<double> balance(static_cast<std::size_t>(top.layout().v_size()));
  Radau stepper(with_tolerance(1e-4));
  State state = top.initial_state();
  REQUIRE(stepper.attach(top).status == Status::ok);
  REQUIRE(stepper.start(state, 1e-3).status == Status::ok);
  double longest = 0.0;
  for (int k = 0; k < 20; ++k) {
    const Outcome outcome = stepper.step(state, 1.0);
    REQUIRE(outcome.status == Status::ok);
    longest = std::max(longest, outcome.h_taken);
    Point at = point_of(state);
    at.a = state.a.data();
    at.lambda = state.lambda.data();
    Evaluation wanted;
    wanted.balance = balance.data();
    top.evaluate(at, wanted);
    const std::vector<double> zero(balance.size(), 0.0);
    const catena_test::explicit_rk::Rows rows = catena_test::explicit_rk::largest_rows(top, state);
    CHECK(rows.position <= 1e-15);
    CHECK(rows.velocity <= 1e-13);                     // of speeds of 150 m/s
    CHECK(rows.acceleration <= 1e-9);                  // of 2e4 m/s^2
    CHECK(largest_difference(balance, zero) <= 1e-8);  // of 3e5 N
  }
  CHECK(longest > 2e-3);  // a third of a radian
}

TEST_CASE("the error of radau is near its tolerance, on open and closed mechanisms") {
  const auto check = [](const System& system, double end) {
    const State exact = run_to(system, with_tolerance(1e-13), end);
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      CAPTURE(tolerance);
      const double error = distance(system, run_to(system, with_tolerance(tolerance), end), exact);
      CHECK(error >= 0.05 * tolerance);
      CHECK(error <= 10.0 * tolerance);
    }
  };
  check(MultibodySystem(HeavyTop().model()), 0.5);
  check(MultibodySystem(HelixChain({.n = 20}).model()), 0.5);
  check(MultibodySystem(FourBar().model()), 0.5);
}

TEST_CASE(
    "springs that are stiff over a step turn on the whole matrices, and cost radau a few times a joint") {
  StepperStatistics jointed, soft, stiff;
  const MultibodySystem joint(sprung_pendulum(0.0, 0.0)), softly(sprung_pendulum(1e3, 3.0)),
      stiffly(sprung_pendulum(1e6, 100.0));
  const State by_joint = run_to(joint, with_tolerance(1e-6), 1.0, &jointed);
  run_to(softly, with_tolerance(1e-6), 1.0, &soft);
  const State by_spring = run_to(stiffly, with_tolerance(1e-6), 1.0, &stiff);
  // A load of 50 N at the spring: 5e-5 m, and what the motion makes of that in a second.
  CHECK(distance(joint, by_joint, by_spring) <= 2e-3);
  CHECK(jointed.factorizations == 2 * (jointed.steps + jointed.rejected_steps) + 2);
  CHECK(stiff.factorizations > 3 * stiff.steps);
  CHECK(stiff.steps <= 3 * jointed.steps);
  CHECK(stiff.steps <= 2 * soft.steps);
  // Without stiffness in the matrix steps end where the iteration does not converge any more.
  StepperStatistics simplified, whole;
  run_to(stiffly, with_tolerance(1e-6, Newton::simplified), 0.1, &simplified);
  run_to(stiffly, with_tolerance(1e-6, Newton::whole), 0.1, &whole);
  CHECK(simplified.steps > 3 * whole.steps);
}

TEST_CASE("a copied state continues a run of radau with the same bits, by the whole matrices too") {
  const MultibodySystem system(sprung_pendulum(1e5, 300.0));
  Radau one(with_tolerance(1e-6, Newton::whole));
  State state = system.initial_state();
  REQUIRE(one.attach(system).status == Status::ok);
  REQUIRE(one.start(state, 0.01).status == Status::ok);
  for (int k = 0; k < 10; ++k) REQUIRE(one.step(state, 0.01).status == Status::ok);
  // Another object continues from the state alone.
  Radau two(with_tolerance(1e-6, Newton::whole));
  State other = state;
  REQUIRE(two.attach(system).status == Status::ok);
  for (int k = 0; k < 10; ++k) {
    REQUIRE(one.step(state, 0.01).status == Status::ok);
    REQUIRE(two.step(other, 0.01).status == Status::ok);
  }
  CHECK(state.q == other.q);
  CHECK(state.v == other.v);
  CHECK(state.memory == other.memory);
}

TEST_CASE("radau interpolates with errors of order 4, and its ends exactly") {
  const MultibodySystem top(HeavyTop().model());
  const auto error_at_middle = [&](double h) {
    Radau stepper(fixed_step());
    State state = top.initial_state();
    REQUIRE(stepper.attach(top).status == Status::ok);
    REQUIRE(stepper.start(state, h).status == Status::ok);
    const State before = state;
    REQUIRE(stepper.step(state, h).status == Status::ok);
    State between = state;
    for (const auto& [theta, end] : {std::pair{0.0, &before}, {1.0, &static_cast<const State&>(state)}}) {
      stepper.interpolate(theta, between.q.data(), between.v.data());
      CHECK(distance(top, between, *end) <= 1e-14);
      CHECK(largest_difference(between.v, end->v) <= 1e-12);
    }
    stepper.interpolate(0.5, between.q.data(), between.v.data());
    return distance(top, between, end_of(top, fixed_step(), 0.25 * h, 2));
  };
  CHECK(std::log2(error_at_middle(1e-3) / error_at_middle(5e-4)) == catena_test::relative(4.0, 0.05));
}

TEST_CASE("a step of radau that turns a body by more than half a revolution fails by name") {
  Model model;
  model.gravity = Vec3::Zero();
  model.add(Body{
      .name = "wheel", .inertia = diagonal(Vec3{{1.0, 1.0, 1.0}}), .angular_velocity = {{0.0, 0.0, 10.0}}});
  const MultibodySystem wheel(std::move(model));
  Radau stepper(fixed_step());
  State state = wheel.initial_state();
  REQUIRE(stepper.attach(wheel).status == Status::ok);
  REQUIRE(stepper.start(state, 0.4).status == Status::ok);
  const State before = state;
  const Outcome outcome = stepper.step(state, 0.4);
  CHECK(outcome.status == Status::newton_not_converged);
  CHECK(outcome.culprit.name == "body \"wheel\"");
  CHECK(outcome.culprit.quantity.find("half a revolution") != std::string::npos);
  CHECK(state.q == before.q);
  CHECK(stepper.step(state, 0.3).status == Status::ok);
}

TEST_CASE("radau refuses tolerances that no step could satisfy") {
  const MultibodySystem top(HeavyTop().model());
  RadauOptions nothing = with_tolerance(0.0);
  CHECK(Radau(nothing).refuses(top).find("rtol = atol = 0") != std::string::npos);
  nothing.control = RadauOptions::Control::fixed;
  CHECK(Radau(nothing).refuses(top).empty());
  RadauOptions endless = with_tolerance(1e-6);
  endless.max_newton_iterations = 0;
  CHECK(Radau(endless).refuses(top).find("max_newton_iterations") != std::string::npos);
}
