// BDF on the Lie group: orders on even and uneven steps, constraints, the error that it achieves, orders that it chooses, stiff
// forces, restarts, and what it refuses.
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/model/joints.hpp>
#include <catena/problems/four_bar.hpp>
#include <catena/problems/heavy_top.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/problems/knife_edge.hpp>
#include <catena/solvers/lie_bdf.hpp>
#include <catena/solvers/radau.hpp>

#include "solvers/projected_steps.hpp"
#include "solvers/sprung_pendulum.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace lie_bdf_tests {

using namespace catena;
using catena_test::sprung_pendulum;
using namespace catena_test::projected;

namespace {

template <class Options>
Options with_tolerance(double tolerance) {
  Options o;
  o.rtol_position = o.atol_position = o.rtol_velocity = o.atol_velocity = tolerance;
  return o;
}

LieBdfOptions fixed_step(int order) {
  LieBdfOptions o;
  o.control = LieBdfOptions::Control::fixed;
  o.max_order = order;
  o.max_newton_iterations = 40;
  return o;
}

State exact_at(const System& system, double end) {
  return run_to<Radau>(system, with_tolerance<RadauOptions>(1e-12), end);
}

// Steps of h (1 + unevenness) and h (1 - unevenness) in turn.
State end_of(const System& system, int order, double h, int steps, double unevenness) {
  LieBdf stepper(fixed_step(order));
  State state = system.initial_state();
  REQUIRE(stepper.attach(system).status == Status::ok);
  REQUIRE(stepper.start(state, h).status == Status::ok);
  for (int k = 0; k < steps; ++k)
    REQUIRE(stepper.step(state, h * (k % 2 == 0 ? 1.0 + unevenness : 1.0 - unevenness)).status == Status::ok);
  return state;
}

// log2 of the errors at h and h/2, continued to h = 0: the measured order differs from that by a multiple of h.
void check_orders(const System& system, double h, int steps, double tolerance) {
  const State exact = exact_at(system, h * steps);
  for (const double unevenness : {0.0, 0.25})
    for (int order = 1; order <= 4; ++order) {
      CAPTURE(unevenness);
      CAPTURE(order);
      double q[3], v[3], lambda[3];
      for (int k = 0; k < 3; ++k) {
        const State end = end_of(system, order, h / (1 << k), steps << k, unevenness);
        q[k] = distance(system, end, exact);
        v[k] = largest_difference(end.v, exact.v);
        lambda[k] = largest_difference(end.lambda, exact.lambda);
      }
      for (const double* error : {q, v, lambda}) {
        const double coarse = std::log2(error[0] / error[1]), fine = std::log2(error[1] / error[2]);
        CAPTURE(coarse);
        CAPTURE(fine);
        CHECK(std::abs(2.0 * fine - coarse - order) <= tolerance);
      }
    }
}

}  // namespace

TEST_CASE("lie_bdf has orders 1 to 4 in q, v and lambda, on even and on uneven steps") {
  check_orders(MultibodySystem(HeavyTop().model()), 5e-4, 40, 0.05);
  check_orders(MultibodySystem(HelixChain({.n = 5}).model()), 2.5e-3, 80, 0.05);
  check_orders(MultibodySystem(FourBar().model()), 5e-3, 40, 0.05);
  check_orders(MultibodySystem(KnifeEdgeProblem().model()), 0.0125, 80, 0.05);
}

TEST_CASE("lie_bdf ends its steps with rows, rates and balance at roundoff, however coarse they are") {
  LieBdf stepper(with_tolerance<LieBdfOptions>(1e-2));
  CHECK(longest_step_on_rows(stepper, MultibodySystem(HeavyTop().model()), 60) > 1e-3);
}

TEST_CASE("the error of lie_bdf over the run is near its tolerance times the time, by every largest order") {
  const auto check = [](const System& system, double end) {
    const State exact = exact_at(system, end);
    for (const int order : {3, 4})
      for (const double tolerance : {1e-3, 1e-4, 1e-5, 1e-6}) {
        CAPTURE(order);
        CAPTURE(tolerance);
        LieBdfOptions options = with_tolerance<LieBdfOptions>(tolerance);
        options.max_order = order;
        const double error = distance(system, run_to<LieBdf>(system, options, end), exact);
        CHECK(error >= 0.05 * tolerance);
        CHECK(error <= 10.0 * tolerance);
      }
  };
  check(MultibodySystem(HeavyTop().model()), 0.5);
  check(MultibodySystem(HelixChain({.n = 20}).model()), 0.5);
  check(MultibodySystem(FourBar().model()), 1.0);
}

TEST_CASE(
    "the error of lie_bdf follows its tolerance down to 1e-9, where roundoff is larger in positions over h") {
  const auto check = [](const System& system, double end) {
    const State exact = exact_at(system, end);
    for (const int order : {3, 4})
      for (const double tolerance : {1e-8, 1e-9}) {
        CAPTURE(order);
        CAPTURE(tolerance);
        LieBdfOptions options = with_tolerance<LieBdfOptions>(tolerance);
        options.max_order = order;
        StepperStatistics counts;
        const double error = distance(system, run_to<LieBdf>(system, options, end, &counts), exact);
        CHECK(error >= 0.05 * tolerance);
        CHECK(error <= 10.0 * tolerance);
        CHECK(counts.rejected_steps <= counts.steps / 50);  // noise in the estimate would reject them
      }
  };
  check(MultibodySystem(HeavyTop().model()), 0.5);
  check(MultibodySystem(HelixChain({.n = 20}).model()), 0.5);
  check(MultibodySystem(FourBar().model()), 1.0);
}

TEST_CASE("lie_bdf takes the order by which steps are longest: a higher one for tighter tolerances") {
  const MultibodySystem chain(HelixChain({.n = 20}).model());
  const auto steps = [&](double tolerance, int most) {
    LieBdfOptions options = with_tolerance<LieBdfOptions>(tolerance);
    options.max_order = most;
    StepperStatistics counts;
    run_to<LieBdf>(chain, options, 0.5, &counts);
    return counts.steps;
  };
  CHECK(steps(1e-6, 4) < steps(1e-6, 3));
  CHECK(steps(1e-6, 3) < steps(1e-6, 2) / 4);
  // A friend of low orders: with a tolerance of a tenth of the motion nothing is gained.
  CHECK(steps(1e-1, 4) >= steps(1e-1, 3) / 2);
}

TEST_CASE("a stiff spring with a damper costs lie_bdf no more than a soft one") {
  StepperStatistics soft, stiff;
  const MultibodySystem joint(sprung_pendulum(0.0, 0.0)), softly(sprung_pendulum(1e3, 3.0)),
      stiffly(sprung_pendulum(1e9, 3000.0));
  run_to<LieBdf>(softly, with_tolerance<LieBdfOptions>(1e-5), 1.0, &soft);
  const State by_spring = run_to<LieBdf>(stiffly, with_tolerance<LieBdfOptions>(1e-5), 1.0, &stiff);
  CHECK(distance(joint, exact_at(joint, 1.0), by_spring) <= 1e-4);
  CHECK(2 * stiff.steps <= 3 * soft.steps);
  CHECK(2 * stiff.factorizations <= 3 * soft.factorizations);
}

TEST_CASE("a copied state continues a run of lie_bdf with the same bits") {
  const LieBdfOptions options = with_tolerance<LieBdfOptions>(1e-6);
  LieBdf one(options), other(options);
  check_copied_state(one, other, MultibodySystem(sprung_pendulum(1e5, 300.0)));
}

TEST_CASE("lie_bdf begins anew where velocities were changed, with its order") {
  const MultibodySystem top(HeavyTop().model());
  const auto ends = [&](double h) {
    LieBdf stepper(fixed_step(3));
    State state = top.initial_state();
    REQUIRE(stepper.attach(top).status == Status::ok);
    REQUIRE(stepper.start(state, h).status == Status::ok);
    const int steps = static_cast<int>(std::lround(0.01 / h));
    for (int k = 0; k < steps; ++k) REQUIRE(stepper.step(state, h).status == Status::ok);
    for (double& v : state.v) v = -v;
    REQUIRE(stepper.restart(state, h).status == Status::ok);
    for (int k = 0; k < steps; ++k) REQUIRE(stepper.step(state, h).status == Status::ok);
    return state;
  };
  // Back at the beginning.
  const State initial = top.initial_state();
  const double coarse = distance(top, ends(2e-4), initial), fine = distance(top, ends(1e-4), initial);
  CHECK(fine <= 1e-5);
  CHECK(std::log2(coarse / fine) >= 2.8);
}

TEST_CASE("lie_bdf refuses tolerances that no step could satisfy, and orders that it has not") {
  const MultibodySystem top(HeavyTop().model());
  LieBdfOptions nothing = with_tolerance<LieBdfOptions>(0.0);
  CHECK(LieBdf(nothing).refuses(top).find("rtol = atol = 0") != std::string::npos);
  nothing.control = LieBdfOptions::Control::fixed;
  CHECK(LieBdf(nothing).refuses(top).empty());
  LieBdfOptions fifth = with_tolerance<LieBdfOptions>(1e-6);
  fifth.max_order = 5;
  CHECK(LieBdf(fifth).refuses(top).find("max_order") != std::string::npos);
}

// The same motion in other units of length and time: m, mm and nm.
TEST_CASE("lie_bdf with fixed steps takes these steps in all units") {
  std::vector<double> angles;
  for (const double length : {1.0, 1e-3, 1e-9}) {
    CAPTURE(length);
    Model model;
    model.gravity = {{0.0, 0.0, -9.81}};
    const double inertia = length * length;
    BodyId before = ground;
    for (int k = 0; k < 2; ++k) {
      const BodyId rod = model.add(Body{.mass = 1.0,
                                        .inertia = inertia * diagonal(Vec3{{0.01, 0.09, 0.09}}),
                                        .position = {{(k + 0.5) * length, 0.0, 0.0}}});
      model.add(SphericalJoint{.bodies = {before, rod},
                               .point_a = {{k == 0 ? 0.0 : 0.5 * length, 0.0, 0.0}},
                               .point_b = {{-0.5 * length, 0.0, 0.0}}});
      before = rod;
    }
    const MultibodySystem system(std::move(model));
    LieBdf stepper(fixed_step(3));
    State state = system.initial_state();
    const double h = 0.005 * std::sqrt(length);
    const RunResult result = run(system, stepper, state, {.step = h, .end = 100 * h});
    REQUIRE_MESSAGE(result.status == Status::ok, result.message);
    CHECK(result.steps == 100);
    angles.push_back(system.bodies(state)[1].position[2] / length);
  }
  CHECK(angles[0] < -0.5);
  CHECK(std::abs(angles[1] - angles[0]) < 1e-9);
  CHECK(std::abs(angles[2] - angles[0]) < 1e-9);
}

}  // namespace lie_bdf_tests
