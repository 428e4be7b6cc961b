// What every stepper promises: refusals, failures that leave the state alone, restarts that say so, interpolation,
// the same bits, no allocation in a step, silence.
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/model/joints.hpp>
#include <catena/problems/heavy_top.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/problems/simple_pendulum.hpp>
#include <catena/problems/snakeboard.hpp>
#include <catena/system/coordinate_system.hpp>

#include "solvers/ida_support.hpp"
#include "support/allocation_count.hpp"
#include "support/relative.hpp"

#include <limits>

namespace ida_contract_tests {

using namespace catena::detail;

using namespace catena_test::ida;

namespace {

// A spring whose force is not a number from t = 0.5 s on.
struct Breaking {
  static constexpr int coordinates = 1;
  template <class S>
  Mat<S, 1, 1> mass(const Vec<S, 1>&) const {
    return {S(1.0)};
  }
  template <class S>
  Vec<S, 1> force(const Vec<S, 1>& q, const Vec<S, 1>&, const S& t) const {
    return {{t > S(0.5) ? S(std::numeric_limits<double>::quiet_NaN()) : -q[0]}};
  }
};

}  // namespace

TEST_CASE("traits say what each form keeps, that steps are chosen, and that memory is not copied") {
  for (const Form form : all_forms) {
    const Ida stepper(with(form, 1e-6, 1e-8));
    const Traits& t = stepper.traits();
    CHECK(std::string(t.name) == "ida");
    CHECK(t.position_residual == (form != Form::index1));
    CHECK(t.velocity_residual == (form != Form::index1));
    CHECK(t.chooses_step);
    CHECK(t.variable_step);
    CHECK_FALSE(t.copyable_memory);
    CHECK(t.velocity_constraints);
    CHECK(t.coordinates == Coordinates::lagrangian);
  }
}

TEST_CASE("bodies on the group are refused with a sentence") {
  const MultibodySystem system(SimplePendulum().model());
  Ida stepper;
  CHECK(stepper.refuses(system).find("generalized_alpha") != std::string::npos);
  CHECK(stepper.attach(system).status == Status::unsupported);
}

TEST_CASE("redundant rows are refused before the start with the name of a joint") {
  Model model = SimplePendulum().model();
  model.add(RevoluteJoint{.bodies = {ground, BodyId{0}},
                          .point_b = {{-0.5, 0.0, 0.0}},
                          .axis_a = Vec3::Unit(2),
                          .axis_b = Vec3::Unit(2),
                          .name = "second"});
  const QuaternionSystem system(std::move(model));
  for (const Form form : all_forms) {
    Ida stepper(with(form, 1e-6, 1e-8));
    const std::string why = stepper.refuses(system);
    CHECK(why.find("redundant") != std::string::npos);
    CHECK(why.find("joint \"") != std::string::npos);
    CHECK(stepper.attach(system).status == Status::unsupported);
  }
}

TEST_CASE("a step takes at most what it is asked for, and meets the instant exactly") {
  const QuaternionSystem system(SimplePendulum().model());
  for (const Form form : all_forms) {
    Run run(system, with(form, 1e-6, 1e-8));
    run.until(0.1);
    for (const double h : {1e-5, 1e-5, 1.0}) {
      const double t = run.state.t;
      const Outcome outcome = run.stepper.step(run.state, h);
      REQUIRE(outcome.status == Status::ok);
      CHECK(outcome.h_taken <= h);
      CHECK(outcome.h_taken > 0.0);
      CHECK(run.state.t == catena_test::relative(t + outcome.h_taken, 1e-15));
      CHECK((outcome.h_taken == h) == (h < 0.1));
      CHECK(outcome.h_next > 0.0);
    }
    CHECK(run.stepper.statistics().restarts <= 1);
  }
}

TEST_CASE("a step at roundoff of the time is taken, also as the first one") {
  const QuaternionSystem system(SimplePendulum().model());
  Run run(system, with(Form::gear_gupta_leimkuhler, 1e-6, 1e-8));
  run.until(0.3);
  for (const bool begun : {true, false}) {
    if (!begun) REQUIRE(run.stepper.restart(run.state, 1e-3).status == Status::ok);
    const State before = run.state;
    const Outcome outcome = run.stepper.step(run.state, 5e-17);
    CHECK(outcome.status == Status::ok);
    CHECK(outcome.h_taken == 5e-17);
    CHECK(run.state.q == before.q);
    run.until(run.state.t + 0.1);
  }
  CHECK(run.stepper.statistics().restarts == 1);
}

TEST_CASE("the driver follows the steps, and the grid of its output costs none") {
  const QuaternionSystem system(SimplePendulum().model());
  long steps[2] = {0, 0};
  for (const int k : {0, 1}) {
    Ida stepper(with(Form::gear_gupta_leimkuhler, 1e-7, 1e-9));
    State state = system.initial_state();
    const RunResult result =
        run(system, stepper, state, RunOptions{.step = k == 0 ? 1e-2 : 1e-3, .end = 1.0});
    REQUIRE(result.status == Status::ok);
    CHECK(result.t_end == 1.0);
    steps[k] = result.steps;
    CHECK(reference_error(SimplePendulum(), system, state) < 1e-4);
  }
  CHECK(std::abs(steps[0] - steps[1]) <= 3);
}

TEST_CASE("a resumed or changed state restarts, says so and is counted; an untouched one does not") {
  const QuaternionSystem system(HeavyTop().model());
  for (const Form form : all_forms) {
    CAPTURE(static_cast<int>(form));
    const Options options = with(form, 1e-9, 1e-11);
    Run run(system, options);
    run.until(0.02);
    const long before = run.stepper.statistics().restarts;
    State copy = run.state;
    run.outcome = run.stepper.step(run.state, 1e-6);
    CHECK(run.outcome.culprit.quantity.empty());

    Ida other(options);
    REQUIRE(other.attach(system).status == Status::ok);
    Outcome outcome = other.step(copy, 1e-6);
    REQUIRE(outcome.status == Status::ok);
    CHECK(outcome.culprit.quantity.find("restarted") != std::string::npos);
    CHECK(other.statistics().restarts == 1);
    double h = outcome.h_next;
    while (copy.t < 0.1) {
      outcome = other.step(copy, std::min(h, 0.1 - copy.t));
      REQUIRE(outcome.status == Status::ok);
      h = outcome.h_next;
    }
    CHECK(reference_error(HeavyTop(), system, copy) < 1e-5);

    run.state.v[0] += 1e-3;  // off the constraints: the forms that keep them put it back
    outcome = run.stepper.step(run.state, 1e-6);
    REQUIRE(outcome.status == Status::ok);
    CHECK(outcome.culprit.quantity.find("restarted") != std::string::npos);
    CHECK(run.stepper.statistics().restarts >= before + 1);
    CHECK((run.residual(&Evaluation::velocity) < 1e-5) == (form != Form::index1));
  }
}

TEST_CASE("restart after a jump takes positions that have drifted") {
  const QuaternionSystem system(SimplePendulum().model());
  Run run(system, with(Form::index1, 1e-4, 1e-6));
  run.until(5.0);
  REQUIRE(run.residual(&Evaluation::position) > 1e-6);
  REQUIRE(run.stepper.restart(run.state, run.h).status == Status::ok);
  run.until(5.1);
  CHECK(run.stepper.statistics().restarts == 1);
}

TEST_CASE("a failed step leaves the state untouched and names its culprit; a later one may succeed") {
  const CoordinateSystem<Breaking> system({}, Vec<double, 1>{{1.0}});
  Run run(system, with(Form::index1, 1e-8, 1e-10));
  REQUIRE_FALSE(run.reach(1.0));
  CHECK(run.state.t < 0.5 + 1e-12);
  CHECK(run.state.t > 0.4);
  CHECK_FALSE(run.outcome.culprit.name.empty());
  const State before = run.state;
  const Outcome outcome = run.stepper.step(run.state, 1.0);
  if (outcome.status != Status::ok) {
    CHECK(run.state.t == before.t);
    CHECK(run.state.q == before.q);
    CHECK(run.state.v == before.v);
    CHECK(run.state.a == before.a);
  }
  State early = system.initial_state();
  CHECK(run.stepper.step(early, 1e-3).status == Status::ok);
}

TEST_CASE("interpolation meets both ends of a step and has the accuracy of the tolerance between them") {
  const QuaternionSystem system(SimplePendulum().model());
  for (const Form form : all_forms) {
    Run run(system, with(form, 1e-8, 1e-10)), fine(system, with(form, 1e-11, 1e-12));
    run.until(0.5);
    const State before = run.state;
    run.outcome = run.stepper.step(run.state, 1.0);
    REQUIRE(run.outcome.status == Status::ok);
    Vector q(before.q.size()), v(before.v.size());
    run.stepper.interpolate(0.0, q.data(), v.data());
    CHECK(distance(q, before.q) < 1e-7);
    CHECK(distance(v, before.v) < 1e-6);
    run.stepper.interpolate(1.0, q.data(), v.data());
    CHECK(distance(q, run.state.q) < 1e-12);
    CHECK(distance(v, run.state.v) < 1e-12);
    fine.until(before.t + 0.4 * run.outcome.h_taken);
    run.stepper.interpolate(0.4, q.data(), v.data());
    CHECK(distance(q, fine.state.q) < 1e-5);  // the global error
    CHECK(distance(v, fine.state.v) < 1e-4);
  }
}

TEST_CASE("two runs have the same bits") {
  HelixChainParameters parameters;
  parameters.n = 5;
  const QuaternionSystem system(HelixChain(parameters).model());
  for (const Form form : all_forms) {
    Run a(system, with(form, 1e-6, 1e-8)), b(system, with(form, 1e-6, 1e-8));
    a.until(0.1);
    b.until(0.1);
    CHECK(a.state.q == b.state.q);
    CHECK(a.state.v == b.state.v);
    CHECK(a.state.lambda == b.state.lambda);
    CHECK(a.stepper.statistics().steps == b.stepper.statistics().steps);
  }
}

TEST_CASE("a step allocates nothing unless it restarts or KLU pivots anew") {
  if (!catena::test::allocation_counting_works()) return;
  const QuaternionSystem system(HeavyTop().model());
  for (const Form form : {Form::index1, Form::gear_gupta_leimkuhler}) {
    Run run(system, with(form, 1e-6, 1e-8));
    run.until(0.02);
    int quiet = 0;
    for (int k = 0; k < 100; ++k) {
      const long count =
          catena::test::count_allocations([&] { run.outcome = run.stepper.step(run.state, run.h); });
      REQUIRE(run.outcome.status == Status::ok);
      run.h = run.outcome.h_next;
      quiet += count == 0 ? 1 : 0;
    }
    CHECK(quiet >= 95);
  }
}

}  // namespace ida_contract_tests
