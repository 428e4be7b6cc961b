// What dormand_prince keeps, refuses and reports.
#include <catena/model/joints.hpp>
#include <catena/model/parts/inertia.hpp>
#include <catena/problems/heavy_top.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/problems/rotary_pendulum.hpp>

#include "solvers/dormand_prince_support.hpp"
#include "support/allocation_count.hpp"
#include "support/relative.hpp"

#include <limits>

namespace dormand_prince_behaviour_tests {

using namespace catena::detail;

using namespace catena_test::explicit_rk;

namespace {

// A square of four bars on hinges, one of them the ground: a closed loop, whose hinges leave redundant rows.
Model four_bar() {
  Model model;
  model.gravity = {{0.0, -9.81, 0.0}};
  const Vec3 corner[4] = {{{0.0, 0.0, 0.0}}, {{0.0, 1.0, 0.0}}, {{1.0, 1.0, 0.0}}, {{1.0, 0.0, 0.0}}};
  BodyId before = ground;
  Vec3 centre = Vec3::Zero();
  for (int k = 0; k < 3; ++k) {
    const Vec3 middle = 0.5 * (corner[k] + corner[k + 1]);
    const BodyId bar =
        model.add(Body{.mass = 1.0, .inertia = diagonal(Vec3{{0.1, 0.1, 0.1}}), .position = middle});
    model.add(
        RevoluteJoint{.bodies = {before, bar}, .point_a = corner[k] - centre, .point_b = corner[k] - middle});
    before = bar;
    centre = middle;
  }
  model.add(RevoluteJoint{.bodies = {before, ground}, .point_a = corner[3] - centre, .point_b = corner[3]});
  // Falls to the side.
  for (int k = 0; k < 3; ++k) model.body(BodyId{k}).velocity = {{k == 1 ? 1.0 : 0.5, 0.0, 0.0}};
  model.body(BodyId{0}).angular_velocity = model.body(BodyId{2}).angular_velocity = {{0.0, 0.0, -1.0}};
  return model;
}

// Pulls a body back to x = 0 with omega = 1e4 1/s: nothing but a stiff mode.
struct StiffSpring {
  std::array<BodyId, 1> bodies;
  template <class S>
  Vec<S, 6> wrench(const BodyFrame<S>& A, const S&) const {
    Vec<S, 6> w = Vec<S, 6>::Zero();
    w[0] = S(-1e8) * A.x[0] - S(2e4) * A.v[0];
    return w;
  }
};

// A force that no number describes after t = 0.5 s.
struct Breaks {
  std::array<BodyId, 1> bodies;
  template <class S>
  Vec<S, 6> wrench(const BodyFrame<S>&, const S& t) const {
    Vec<S, 6> w = Vec<S, 6>::Zero();
    w[1] = sqrt(S(0.5) - t);
    return w;
  }
};

// Dry friction, which has no solution that a Runge-Kutta method could follow once it is at rest: v' = -sign(v).
struct Friction {
  static constexpr int coordinates = 1;
  static constexpr const char* name = "friction";
  template <class S>
  Mat<S, 1, 1> mass(const Vec<S, 1>&) const {
    return {{S(1.0)}};
  }
  template <class S>
  Vec<S, 1> force(const Vec<S, 1>&, const Vec<S, 1>& v, const S&) const {
    return {{v[0] > S(0.0) ? S(-1.0) : S(1.0)}};
  }
};

Model one_body() {
  Model model;
  model.add(Body{.name = "mass", .mass = 1.0, .inertia = diagonal(Vec3{{1.0, 1.0, 1.0}})});
  return model;
}

}  // namespace

TEST_CASE("constraints hold to roundoff at every level, for chains, loops with redundant rows and hinges") {
  const auto check = [](Model model, double h, int steps) {
    const MultibodySystem system(std::move(model));
    DormandPrince stepper(fixed_step());
    State state = system.initial_state();
    stepper.attach(system);
    REQUIRE(stepper.start(state, h).status == Status::ok);
    Rows worst;
    for (int k = 0; k < steps; ++k) {
      REQUIRE(stepper.step(state, h).status == Status::ok);
      const Rows r = largest_rows(system, state);
      worst.position = std::max(worst.position, r.position);
      worst.velocity = std::max(worst.velocity, r.velocity);
      worst.acceleration = std::max(worst.acceleration, r.acceleration);
    }
    CHECK(worst.position <= 1e-13);
    CHECK(worst.velocity <= 1e-13 * 10.0);       // speeds of 10 m/s
    CHECK(worst.acceleration <= 1e-13 * 100.0);  // accelerations of 100 m/s^2
  };
  check(HelixChain({.n = 20}).model(), 1e-3, 200);
  check(HelixChain({.n = 10, .joint = ChainJoint::revolute}).model(), 1e-3, 200);
  RotaryPendulumParameters maximal;
  maximal.coordinates = RotaryPendulumParameters::CoordinateChoice::maximal;
  check(RotaryPendulum(maximal).model(), 5e-3, 200);
}

TEST_CASE("a closed loop with redundant rows stays closed") {
  const MultibodySystem system(four_bar());
  DormandPrince stepper(fixed_step());
  State state = system.initial_state();
  stepper.attach(system);
  REQUIRE(stepper.start(state, 2e-3).status == Status::ok);
  const double energy = system.energy(point_of(state)).total();
  for (int k = 0; k < 500; ++k) {
    REQUIRE(stepper.step(state, 2e-3).status == Status::ok);
    CHECK(largest_rows(system, state).position <= 1e-13);
  }
  CHECK(std::abs(system.energy(point_of(state)).total() - energy) <= 1e-8);
}

TEST_CASE("a step allocates nothing") {
  if (!test::allocation_counting_works()) return;
  for (const bool adaptive : {false, true}) {
    const MultibodySystem system(HelixChain({.n = 20}).model());
    DormandPrince stepper(adaptive ? tolerance(1e-6) : fixed_step());
    State state = system.initial_state();
    stepper.attach(system);
    stepper.start(state, 1e-3);
    std::vector<double> q(state.q.size()), v(state.v.size());
    CHECK(test::count_allocations([&] {
            for (int k = 0; k < 10; ++k) stepper.step(state, 1e-3);
            stepper.interpolate(0.3, q.data(), v.data());
          }) == 0);
  }
}

TEST_CASE("a copied State continues to the same bits in a fresh stepper, with control of the step too") {
  const MultibodySystem system(HeavyTop().model());
  DormandPrince stepper(tolerance(1e-9));
  State state = system.initial_state();
  stepper.attach(system);
  stepper.start(state, 1.0);
  for (int k = 0; k < 20; ++k) stepper.step(state, stepper.proposed_step(state));
  State copy = state;
  DormandPrince other(tolerance(1e-9));
  other.attach(system);
  for (int k = 0; k < 20; ++k) {
    stepper.step(state, stepper.proposed_step(state));
    other.step(copy, other.proposed_step(copy));
  }
  CHECK(state.t == copy.t);
  CHECK(state.q == copy.q);
  CHECK(state.v == copy.v);
  CHECK(state.a == copy.a);
  CHECK(state.lambda == copy.lambda);
  CHECK(state.memory == copy.memory);
}

TEST_CASE("a force that is not finite ends a step with its name, and the state is untouched") {
  Model model = one_body();
  model.add(Breaks{{BodyId{0}}});
  const MultibodySystem system(model);
  DormandPrince stepper(fixed_step());
  State state = system.initial_state();
  stepper.attach(system);
  stepper.start(state, 0.3);
  REQUIRE(stepper.step(state, 0.3).status == Status::ok);
  const State before = state;
  const Outcome outcome = stepper.step(state, 0.3);
  CHECK(outcome.status == Status::not_finite);
  CHECK(outcome.h_taken == 0.0);
  CHECK(outcome.culprit.name == "force \"force 0\" (force)");
  CHECK(state.q == before.q);
  CHECK(state.v == before.v);
  CHECK(state.a == before.a);
  CHECK(state.memory == before.memory);
  CHECK(state.t == before.t);

  // With control of the step it goes as near as roundoff of t lets it.
  DormandPrince adaptive(tolerance(1e-8));
  state = system.initial_state();
  const RunResult result = run(system, adaptive, state, {.step = 1.0, .end = 1.0});
  CHECK(result.status == Status::step_too_small);
  CHECK(result.cause == Status::not_finite);
  CHECK(result.culprit.name == "force \"force 0\" (force)");
  CHECK(result.t_end == catena_test::relative(0.5, 1e-6));
}

TEST_CASE("where no step meets the tolerance the status says that steps underflow, with the component") {
  const CoordinateSystem<Friction> system(Friction{}, Vec<double, 1>{{0.0}}, Vec<double, 1>{{0.7}});
  DormandPrinceOptions options = tolerance(1e-8);
  options.atol_velocity = 0.0;  // relative to a velocity that vanishes
  options.stiffness_check = false;
  DormandPrince stepper(options);
  State state = system.initial_state();
  const RunResult result = run(system, stepper, state, {.step = 2.0, .end = 2.0});
  CHECK(result.status == Status::step_too_small);
  CHECK(result.culprit.name == "coordinates of \"friction\"");
  CHECK(result.culprit.quantity == "local error in tolerances");
  CHECK(result.culprit.value > 1.0);
  CHECK(result.t_end == catena_test::relative(0.7, 1e-6));
}

TEST_CASE("a stiff spring is reported as stiffness, with the body; the check can be switched off") {
  Model model = one_body();
  model.body(BodyId{0}).velocity = {{1.0, 0.0, 0.0}};
  model.add(StiffSpring{{BodyId{0}}});
  const MultibodySystem system(model);
  DormandPrinceOptions options = tolerance(1e-4);
  {
    DormandPrince stepper(options);
    State state = system.initial_state();
    const RunResult result = run(system, stepper, state, {.step = 1.0, .end = 1.0});
    CHECK(result.status == Status::unstable);
    CHECK(result.culprit.name == "body \"mass\"");
    CHECK(result.culprit.value > 3.25);
    CHECK(result.steps <= 1100);
  }
  options.stiffness_check = false;
  DormandPrince stepper(options);
  State state = system.initial_state();
  const RunResult result = run(system, stepper, state, {.step = 1.0, .end = 1.0});
  CHECK(result.status == Status::ok);
  CHECK(result.steps > 2000);  // 1 s of steps of 3.3 / 1e4 s
}

TEST_CASE("steps are no larger than max_step, and the first is initial_step") {
  const auto system = RotaryPendulum().own_system();
  DormandPrinceOptions options = tolerance(1e-4);
  options.initial_step = 1e-4;
  options.max_step = 2e-3;
  DormandPrince stepper(options);
  State state = system->initial_state();
  const RunResult result = run(*system, stepper, state, {.step = 0.1, .end = 0.2});
  CHECK(result.smallest_step == 1e-4);
  CHECK(result.largest_step <= 2e-3);
  CHECK(result.largest_step >= 1.9e-3);
}

}  // namespace dormand_prince_behaviour_tests
