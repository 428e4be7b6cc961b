// Radau IIA on the Lie group: orders, constraints, the error that it achieves, stiff forces, and what it refuses.
#include <catena/assembly/multibody_system.hpp>
#include <catena/model/parts/inertia.hpp>
#include <catena/problems/four_bar.hpp>
#include <catena/problems/heavy_top.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/problems/knife_edge.hpp>
#include <catena/solvers/radau.hpp>

#include "solvers/projected_steps.hpp"
#include "solvers/sprung_pendulum.hpp"
#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace radau_tests {

using namespace catena;
using catena_test::component;
using catena_test::relative;
using catena_test::sprung_pendulum;
using namespace catena_test::projected;

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
  Radau stepper(with_tolerance(1e-4));
  CHECK(longest_step_on_rows(stepper, MultibodySystem(HeavyTop().model()), 20) >
        2e-3);  // a third of a radian
}

TEST_CASE("the error of radau is near its tolerance, on open and closed mechanisms") {
  const auto check = [](const System& system, double end) {
    const State exact = run_to<Radau>(system, with_tolerance(1e-13), end);
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      CAPTURE(tolerance);
      const double error = distance(system, run_to<Radau>(system, with_tolerance(tolerance), end), exact);
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
  const State by_joint = run_to<Radau>(joint, with_tolerance(1e-6), 1.0, &jointed);
  run_to<Radau>(softly, with_tolerance(1e-6), 1.0, &soft);
  const State by_spring = run_to<Radau>(stiffly, with_tolerance(1e-6), 1.0, &stiff);
  // A load of 50 N at the spring: 5e-5 m, and what the motion makes of that in a second.
  CHECK(distance(joint, by_joint, by_spring) <= 2e-3);
  CHECK(jointed.factorizations == 2 * (jointed.steps + jointed.rejected_steps) + 2);
  CHECK(stiff.factorizations > 3 * stiff.steps);
  CHECK(stiff.steps <= 3 * jointed.steps);
  CHECK(stiff.steps <= 2 * soft.steps);
  // Without stiffness in the matrix steps end where the iteration does not converge any more.
  StepperStatistics simplified, whole;
  run_to<Radau>(stiffly, with_tolerance(1e-6, Newton::simplified), 0.1, &simplified);
  run_to<Radau>(stiffly, with_tolerance(1e-6, Newton::whole), 0.1, &whole);
  CHECK(simplified.steps > 3 * whole.steps);
}

TEST_CASE("springs of 1e9 N/m and more cost radau the steps of a joint, and no matrices of their own") {
  StepperStatistics jointed;
  const MultibodySystem joint(sprung_pendulum(0.0, 0.0));
  const State by_joint = run_to<Radau>(joint, with_tolerance(1e-6), 1.0, &jointed);
  const auto check = [&](double stiffness, double damping) {
    CAPTURE(stiffness);
    StepperStatistics counts;
    const MultibodySystem sprung(sprung_pendulum(stiffness, damping));
    const State end = run_to<Radau>(sprung, with_tolerance(1e-6), 1.0, &counts);
    CHECK(counts.steps <= jointed.steps * 5 / 4);
    CHECK(counts.newton_iterations <= jointed.newton_iterations * 3 / 2);
    CHECK(counts.factorizations <= 2 * (counts.steps + counts.rejected_steps) + 10);
    // The load of 50 N makes 5e-8 m at 1e9 N/m; the rest are the errors of both, at their tolerance.
    CHECK(distance(joint, by_joint, end) <= 2e-6);
    CHECK(largest_difference(end.v, by_joint.v) <= 2e-5);
    // The spring holds what the joint holds: its force at the end, of a length of 1e-8 m and less, and in a and lambda too.
    ForceAlong spring;
    sprung.force_along(0, point_of(end), spring);
    for (std::size_t i = 0; i < 3; ++i) CHECK(end.lambda[i] == component(by_joint.lambda[i], 1e-4, 10.0));
    const auto size = [](const double* x) { return std::hypot(x[0], x[1], x[2]); };
    CHECK(size(spring.force.data()) == relative(size(&by_joint.lambda[3]), 1e-3));
    CHECK(largest_difference(end.a, by_joint.a) <= 5e-3);
  };
  check(1e9, 3000.0);
  check(1e12, 1e5);
}

TEST_CASE("stiff struts and torsion springs are taken like rods and welds by radau") {
  const auto end_of = [](bool stiff, StepperStatistics& counts) {
    Model model = catena_test::two_rods();
    const BodyId arm = model.find_body("first"), tip = model.find_body("second");
    const Mat3 inertia = diagonal(Vec3{{0.01, 0.1, 0.1}});
    const BodyId bob =
        model.add(Body{.name = "bob", .mass = 0.5, .inertia = inertia, .position = {{2.0, 0.3, 0.0}}});
    const Vec3 end{{0.5, 0.0, 0.0}}, y = Vec3::Unit(1);
    if (stiff) {
      model.add(RevoluteJoint{
          .bodies = {arm, tip}, .point_a = end, .point_b = -end, .axis_a = y, .axis_b = y, .name = "elbow"});
      model.add(TorsionSpring{
          .bodies = {arm, tip}, .axis_a = y, .axis_b = y, .stiffness = 1e9, .damping = 1e3, .name = "brace"});
      model.add(SpringDamper{.bodies = {tip, bob},
                             .point_a = end,
                             .stiffness = 1e9,
                             .damping = 1e3,
                             .rest_length = 0.3,
                             .name = "string"});
    } else {
      model.add(WeldJoint{.bodies = {arm, tip}, .point_a = end, .point_b = -end, .name = "elbow"});
      model.add(DistanceConstraint{.bodies = {tip, bob}, .point_a = end, .length = 0.3, .name = "string"});
    }
    const MultibodySystem system(std::move(model));
    return run_to<Radau>(system, with_tolerance(1e-7), 0.5, &counts).q;
  };
  StepperStatistics stiff, rigid;
  const std::vector<double> by_springs = end_of(true, stiff), by_joints = end_of(false, rigid);
  CHECK(largest_difference(by_springs, by_joints) <= 3e-6);
  CHECK(stiff.steps <= rigid.steps * 5 / 4);
  CHECK(stiff.factorizations <= 2 * (stiff.steps + stiff.rejected_steps) + 10);
}

TEST_CASE("a stiff damper beside a stiff spring leaves both taken like rows by radau") {
  const auto end_of = [](const RadauOptions& options, StepperStatistics& counts) {
    Model model = sprung_pendulum(1e9, 3000.0);
    model.add(TorsionSpring{.bodies = {ground, BodyId{0}},
                            .axis_a = Vec3::Unit(1),
                            .axis_b = Vec3::Unit(1),
                            .damping = 1e7,
                            .name = "brake"});
    const MultibodySystem system(std::move(model));
    return run_to<Radau>(system, options, 0.5, &counts);
  };
  StepperStatistics rows, whole, ignored;
  const State by_rows = end_of(with_tolerance(1e-7), rows), best = end_of(with_tolerance(1e-10), ignored),
              by_matrix = end_of(with_tolerance(1e-9, Newton::whole), ignored);
  end_of(with_tolerance(1e-7, Newton::whole), whole);
  CHECK(largest_difference(by_rows.q, best.q) <= 1e-7);
  CHECK(largest_difference(by_rows.v, best.v) <= 2e-5);  // what the spring's coordinate still moves by
  CHECK(largest_difference(by_matrix.q, best.q) <= 1e-9);
  // The brake stops the pin within 1e-8 s, in steps so short that some of them have the whole matrices.
  CHECK(rows.steps <= whole.steps / 5);
  CHECK(rows.factorizations <= whole.factorizations / 5);
}

// A joint that creeps: at the end of a step the damper says nothing of the place, and the spring, which would be off by c / k
// times what is wrong with the rate, is not what holds it there.
TEST_CASE("a damper that is much stiffer than its spring is taken like rows by radau, and keeps its place") {
  for (const double stiffness : {1e3, 1e4}) {
    const double damping = 10.0 * stiffness;
    CAPTURE(stiffness);
    const MultibodySystem system(sprung_pendulum(stiffness, damping));
    StepperStatistics rows, ignored;
    const State end = run_to<Radau>(system, with_tolerance(1e-6), 1.0, &rows),
                best = run_to<Radau>(system, with_tolerance(1e-9, Newton::whole), 1.0, &ignored);
    CHECK(distance(system, end, best) <= 1e-6);
    CHECK(rows.steps <= 100);
    CHECK(rows.rejected_steps <= 50);
  }
}

TEST_CASE("where a joint holds the coordinate of a stiff spring, radau's reactions are right all the same") {
  Model model = sprung_pendulum(1e9, 3000.0);
  model.add(SpringDamper{.bodies = {ground, BodyId{0}},
                         .point_b = {{-0.5, 0.0, 0.0}},
                         .stiffness = 1e9,
                         .name = "across the pin"});
  const MultibodySystem held(std::move(model)), joint(sprung_pendulum(0.0, 0.0));
  const State end = run_to<Radau>(held, with_tolerance(1e-6), 0.3),
              by_joint = run_to<Radau>(joint, with_tolerance(1e-6), 0.3);
  CHECK(distance(joint, end, by_joint) <= 2e-6);
  for (std::size_t i = 0; i < 3; ++i) CHECK(end.lambda[i] == component(by_joint.lambda[i], 1e-3, 10.0));
}

TEST_CASE("a copied state continues a run of radau with the same bits, whatever its matrices") {
  const RadauOptions whole = with_tolerance(1e-6, Newton::whole), automatic = with_tolerance(1e-6);
  Radau one(whole), other(whole);
  check_copied_state(one, other, MultibodySystem(sprung_pendulum(1e5, 300.0)));
  Radau third(automatic), fourth(automatic);
  check_copied_state(third, fourth, MultibodySystem(sprung_pendulum(1e9, 3000.0)));
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

}  // namespace radau_tests
