// What lie_dae keeps: the residuals of its traits, mu and omega, memory, bits, failures.
#include <catena/driver/run.hpp>
#include <catena/problems/box_chain.hpp>
#include <catena/problems/heavy_top.hpp>
#include <catena/problems/helix_chain.hpp>

#include "solvers/lie_dae_support.hpp"
#include "support/allocation_count.hpp"
#include "support/few_cases.hpp"
#include "support/interpolation.hpp"
#include "support/relative.hpp"
#include "support/same_state.hpp"

#include <limits>

namespace lie_dae_behaviour_tests {

using namespace catena::detail;

namespace {

using namespace catena_test::lie;
using catena_test::same_state;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

Model helix(int n, ChainJoint joint = ChainJoint::spherical) {
  return HelixChain({.n = n, .joint = joint}).model();
}

template <class Function>
void for_all_options(const Function& function) {
  for (const Index index : forms)
    for (const int order : {1, 2})
      for (const Newton newton : {Newton::automatic, Newton::quasi, Newton::exact}) {
        Options o;
        o.index = index;
        o.order = order;
        o.newton = newton;
        CAPTURE(name(index));
        CAPTURE(order);
        CAPTURE(static_cast<int>(newton));
        function(o);
      }
}

}  // namespace

TEST_CASE("the residuals that the traits promise vanish on chains, the others do not") {
  for (const ChainJoint joint : {ChainJoint::spherical, ChainJoint::revolute}) {
    const MultibodySystem system(helix(catena_test::few_cases ? 3 : 10, joint));
    const double h = 2e-3;
    for_all_options([&](Options o) {
      o.engine.newton_tolerance = 1e-12;
      Run run(system, h, o);
      const Traits& t = run.stepper.traits();
      double position = 0.0, velocity = 0.0, acceleration = 0.0, speed = 1.0, rate = 1.0, balance = 0.0;
      for (int k = 0; k < 100; ++k) {
        run.step();
        position = std::max(position, run.residual(&Evaluation::position));
        velocity = std::max(velocity, run.residual(&Evaluation::velocity));
        if (k > 0) acceleration = std::max(acceleration, run.residual(&Evaluation::acceleration));
        balance = std::max(balance, run.residual(&Evaluation::balance));
        speed = std::max(speed, largest(run.state.v));
        rate = std::max(rate, largest(run.state.a));
      }
      // What Newton lets q differ by, 1e-12 of a body's size, a rate and an acceleration differ by over h and h^2.
      const double tolerance = o.engine.newton_tolerance;
      if (t.position_residual)
        CHECK(position < 16.0 * epsilon * 0.4 + 0.01 * tolerance);
      else
        CHECK(position > 1e-9);
      if (t.velocity_residual)
        CHECK(velocity < tolerance / h + 64.0 * epsilon * speed);
      else
        CHECK(velocity > 1e-6);
      if (t.acceleration_residual)
        CHECK(acceleration < tolerance / (h * h) + 64.0 * epsilon * rate);
      else
        CHECK(acceleration > 1e-4);
      if (o.index != Index::stabilized) CHECK(balance < 1e-5 * largest(run.state.lambda));
    });
  }
}

TEST_CASE("stabilized: mu shrinks with h^2, omega with h, at order 1; faster at order 2") {
  const MultibodySystem system(TwoLinkManipulator().model());
  for (const int order : {1, 2}) {
    Options o;
    o.index = Index::stabilized;
    o.order = order;
    o.engine.newton_tolerance = 1e-13;
    const auto sizes = [&](double h) {
      Run run(system, h, o);
      run.until(0.02);
      return std::array{largest(run.stepper.mu()), largest(run.stepper.omega())};
    };
    const auto coarse = sizes(1e-4), fine = sizes(5e-5);
    // V' - V is the normal part of what the backward difference misses of v: -h/2 v' at order 1, O(h^2) at
    // order 2; so is G a + ... of the acceleration.
    CHECK(std::log2(coarse[0] / fine[0]) == catena_test::relative(order, 0.1));
    CHECK(std::log2(coarse[1] / fine[1]) == catena_test::relative(order, 0.1));
  }
}

TEST_CASE("quasi, automatic and exact Newton end in the same step") {
  const MultibodySystem system(helix(40, ChainJoint::revolute));
  for (const Index index : forms)
    for (const int order : {1, 2}) {
      CAPTURE(name(index));
      std::vector<State> ends;
      for (const Newton newton : {Newton::automatic, Newton::quasi, Newton::exact}) {
        Options o;
        o.index = index;
        o.order = order;
        o.newton = newton;
        o.engine.newton_tolerance = 1e-13;
        Run run(system, 2e-3, o);
        run.steps(20);
        ends.push_back(run.state);
      }
      for (const State& s : ends) {
        // twenty steps, each within the tolerance; velocities over h
        CHECK(distance(coordinates(system, s), coordinates(system, ends[2])) < 20.0 * 1e-13 * 100.0);
        CHECK(distance(s.v, ends[2].v) < 20.0 * 1e-13 * 100.0 / 2e-3);
      }
    }
}

TEST_CASE("chains of a hundred bodies and the box chain run in every form with the defaults") {
  const int n = catena_test::few_cases ? 20 : 100;
  const MultibodySystem balls(helix(n)), hinges(helix(n, ChainJoint::revolute)), boxes(BoxChain().model());
  for (const MultibodySystem* system : {&balls, &hinges, &boxes})
    for (const Index index : forms)
      for (const int order : {1, 2}) {
        CAPTURE(name(index));
        Options o;
        o.index = index;
        o.order = order;
        Run run(*system, 5e-3, o);
        const double initial = run.energy();
        run.until(0.25);
        const double kinetic = system->energy(point_of(run.state)).kinetic;
        // a fall from rest: the error of the energy is far below what has been exchanged
        CHECK(std::abs(run.energy() - initial) < (order == 1 ? 0.1 : 0.005) * kinetic);
        CHECK(run.iterations_per_step() < 8.0);
      }
}

TEST_CASE("a step allocates nothing after the first two, also where h changes") {
  const MultibodySystem system(helix(40));
  for_all_options([&](const Options& o) {
    Run run(system, 1e-3, o);
    run.steps(2);
    const long count = test::count_allocations([&] {
      for (int k = 0; k < 10; ++k) run.stepper.step(run.state, k < 5 ? 1e-3 : 0.5e-3);
    });
    CHECK(run.stepper.statistics().steps - run.stepper.statistics().rejected_steps == 12);
    if (test::allocation_counting_works()) CHECK(count == 0);
  });
}

TEST_CASE("a copied state continues with the same bits in another stepper") {
  const MultibodySystem system(helix(40));
  for_all_options([&](const Options& o) {
    Run run(system, 1e-3, o);
    run.steps(10);
    State copy = run.state;
    LieDae other(o);
    REQUIRE(other.attach(system).status == Status::ok);
    for (int k = 0; k < 10; ++k) {
      const double h = k == 4 ? 0.5e-3 : 1e-3;
      run.step(h);
      REQUIRE(other.step(copy, h).status == Status::ok);
    }
    CHECK(same_state(copy, run.state));
  });
}

TEST_CASE("interpolate ends at the states and is of order 3 or more between them") {
  const MultibodySystem system(HeavyTop().model());
  for (const Index index : forms) {
    CAPTURE(name(index));
    Options o;
    o.index = index;
    o.engine.newton_tolerance = 1e-13;
    const auto error = [&](double h) {
      const auto e = catena_test::interpolation_error<Run>(system, h, o);
      CHECK(e.begin.q < 2 * epsilon);
      CHECK(e.begin.v == 0.0);
      CHECK(e.end.q < 2 * epsilon);
      CHECK(e.end.v < 4 * epsilon * e.speed);
      return e.middle;
    };
    const auto coarse = error(2e-4), fine = error(1e-4);
    CHECK(std::log2(coarse.q / fine.q) > 2.8);
    // Velocities of index 3 are off by h^2 of their own, which no interpolant mends.
    CHECK(std::log2(coarse.v / fine.v) > (index == Index::three ? 1.8 : 2.8));
  }
}

TEST_CASE("what does not converge leaves the state untouched and names somebody; the driver cuts it") {
  const MultibodySystem system(helix(20));
  for_all_options([&](Options o) {
    Run run(system, 1e-3, o), undisturbed(system, 1e-3, o);
    run.steps(3);
    undisturbed.steps(3);
    const State before = run.state;
    const Outcome outcome = run.stepper.step(run.state, 100.0);
    CHECK(recoverable(outcome.status));
    CHECK(outcome.h_taken == 0.0);
    CHECK(!outcome.culprit.name.empty());
    CHECK(!outcome.culprit.quantity.empty());
    CHECK(same_state(run.state, before));
    run.step();
    undisturbed.step();
    CHECK(same_state(run.state, undisturbed.state));

    o.engine.max_newton_iterations = o.newton == Newton::quasi && o.index != Index::three ? 4 : 3;
    LieDae stepper(o);
    State state = system.initial_state();
    const RunResult r = catena::run(system, stepper, state,
                                    RunOptions{.step = 1.6e-2, .end = 0.16, .open_joints_fail = false});
    CHECK(r.status == Status::ok);
    CHECK(r.rejected > 0);
    CHECK(state.t == catena_test::relative(0.16, 1e-14));
  });
}

TEST_CASE(
    "index 1 with a step far too large: joints that have come apart end the run, with the name of one") {
  const MultibodySystem system(helix(10));
  Options o;
  o.index = Index::one;
  o.newton = Newton::exact;
  o.engine.jacobian = JacobianUpdate::every_iteration;
  LieDae stepper(o);
  State state = system.initial_state();
  const RunResult r = catena::run(system, stepper, state, RunOptions{.step = 5e-2, .end = 5.0});
  CHECK(r.status == Status::unstable);
  CHECK(r.t_end < 4.0);  // when it happens, not by the assessment at the end of the run
  CHECK(r.culprit.quantity.find("index 1 and 2 let drift") != std::string::npos);
  CHECK(r.culprit.name.rfind("joint", 0) == 0);
  CHECK(std::abs(r.culprit.value) > 0.4);
}

}  // namespace lie_dae_behaviour_tests
