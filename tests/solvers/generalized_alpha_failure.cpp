// An unconverged step is never accepted: the state stays as it was and somebody is named.
#include <catena/driver/run.hpp>
#include <catena/model/joints.hpp>
#include <catena/problems/heavy_top.hpp>
#include <catena/problems/helix_chain.hpp>

#include "solvers/generalized_alpha_support.hpp"
#include "support/relative.hpp"
#include "support/same_state.hpp"

#include <limits>
#include <string>

namespace generalized_alpha_failure_tests {

using namespace catena::detail;

namespace {

using namespace catena_test::alpha;

// A force that is not a number from some instant on.
struct Breakdown {
  static constexpr const char* type_name = "breakdown";
  std::array<BodyId, 1> bodies;
  double instant = 0.0;  // [s]

  template <class S>
  Vec<S, 6> wrench(const BodyFrame<S>&, const S& t) const {
    Vec<S, 6> w = Vec<S, 6>::Zero();
    if (!(t < S(instant))) w[2] = S(std::numeric_limits<double>::quiet_NaN());
    return w;
  }
};

// Rows along x whose residual no motion changes from some instant on, and which claim the Jacobian of a joint.
template <Level L>
struct Stuck {
  static constexpr int rows = 1;
  static constexpr Level level = L;
  static constexpr const char* type_name = "stuck";
  std::array<BodyId, 1> bodies;
  double instant = 0.0, residual = 0.0;
  std::string name = {};

  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& A, const S& t) const requires(L == Level::position) {
    return {{t < S(instant) ? A.x[0] : S(residual)}};
  }
  template <class S>
  Vec<S, 1> rate(const BodyFrame<S>& A, const S& t) const requires(L == Level::velocity) {
    return {{t < S(instant) ? A.v[0] : S(residual)}};
  }
  template <class S>
  void jacobian(const BodyFrame<S>*, const S&, Mat<S, 1, 6>* G) const {
    G[0] = Mat<S, 1, 6>::Zero();
    G[0](0, 0) = S(1.0);
  }
  template <class S>
  Vec<S, 1> drift(const BodyFrame<S>*, const S&) const {
    return Vec<S, 1>::Zero();
  }
  template <class S>
  Vec<S, 1> bias(const BodyFrame<S>*, const S&) const {
    return Vec<S, 1>::Zero();
  }
  template <class S>
  void rate_jacobian(const BodyFrame<S>*, const S&, Mat<S, 1, 6>* N) const {
    N[0] = Mat<S, 1, 6>::Zero();
  }
  template <class S>
  void geometric_stiffness(const BodyFrame<S>*, const S&, const Vec<S, 1>&, Mat<S, 6, 6>* K) const {
    K[0] = Mat<S, 6, 6>::Zero();
  }
};

Model helix(int n) {
  HelixChainParameters p;
  p.n = n;
  return HelixChain(p).model();
}

bool names_somebody(const Culprit& c) {
  return (c.name.rfind("body \"", 0) == 0 || c.name.rfind("joint \"", 0) == 0) && !c.quantity.empty();
}

}  // namespace

TEST_CASE("one iteration is not enough: the step is refused, the state untouched, the worst residual named") {
  const MultibodySystem system(helix(20));
  Options o;
  o.engine.max_newton_iterations = 1;
  for (const Index index : {Index::three, Index::two}) {
    o.index = index;
    Run run(system, 1e-2, o);
    const State before = run.state;
    const Outcome outcome = run.stepper.step(run.state, 1e-2);
    CHECK(outcome.status == Status::newton_not_converged);
    CHECK(recoverable(outcome.status));
    CHECK(outcome.h_taken == 0.0);
    CHECK(names_somebody(outcome.culprit));
    CHECK(std::isfinite(outcome.culprit.value));
    CHECK(outcome.culprit.value != 0.0);
    CHECK(catena_test::same_state(run.state, before));
    CHECK(run.stepper.statistics().rejected_steps == 1);
    CHECK(run.stepper.statistics().steps == 0);
  }
}

// In a step of 10 ms 5 m/s are 0.05 m, a tenth of the gap.
TEST_CASE("residuals of positions and of velocities are compared by what they are over a step") {
  for (const bool gap_is_larger : {true, false}) {
    CAPTURE(gap_is_larger);
    Model model;
    const BodyId one = model.add(Body{.name = "one"}), other = model.add(Body{.name = "other"});
    model.add(Stuck<Level::position>{{one}, 0.015, gap_is_larger ? 0.5 : 0.005, "gap"});
    model.add(Stuck<Level::velocity>{{other}, 0.015, 5.0, "rate"});
    const MultibodySystem system(std::move(model));
    Run run(system, 1e-2);
    run.step();
    const Outcome outcome = run.stepper.step(run.state, 1e-2);
    CHECK(outcome.status == Status::newton_not_converged);
    CHECK(outcome.culprit.name == (gap_is_larger ? "joint \"gap\" (stuck)" : "joint \"rate\" (stuck)"));
    CHECK(outcome.culprit.quantity == (gap_is_larger ? "position residual" : "velocity residual"));
    CHECK(outcome.culprit.value == catena_test::relative(gap_is_larger ? 0.5 : 5.0, 1e-6));
  }
}

TEST_CASE(
    "a step of a hundred swings is refused, and the next one of a proper size is as if nothing had been") {
  const MultibodySystem system(helix(20));
  Run run(system, 1e-3), undisturbed(system, 1e-3);
  run.steps(3);
  undisturbed.steps(3);
  const State before = run.state;
  const Outcome outcome = run.stepper.step(run.state, 100.0);
  CHECK(recoverable(outcome.status));
  CHECK(names_somebody(outcome.culprit));
  CHECK(catena_test::same_state(run.state, before));
  run.step();
  undisturbed.step();
  CHECK(catena_test::same_state(run.state, undisturbed.state));
}

TEST_CASE("a force that is not a number is reported as such, with its name") {
  Model model = helix(20);
  model.add(Breakdown{.bodies = {model.find_body("link 13")}, .instant = 0.0045});
  const MultibodySystem system(std::move(model));
  Run run(system, 1e-3);
  run.steps(4);
  const State before = run.state;
  const Outcome outcome = run.stepper.step(run.state, 1e-3);
  CHECK(outcome.status == Status::not_finite);
  CHECK(outcome.culprit.name == "force \"breakdown 0\" (breakdown)");
  CHECK(outcome.culprit.quantity == "force");
  CHECK(std::isnan(outcome.culprit.value));
  CHECK(catena_test::same_state(run.state, before));
}

TEST_CASE("the driver cuts what fails and continues") {
  const MultibodySystem system(helix(20));
  Options o;
  o.engine.max_newton_iterations = 2;  // enough at small steps only
  GeneralizedAlpha stepper(o);
  State state = system.initial_state();
  const RunResult r = catena::run(system, stepper, state, RunOptions{.step = 8e-3, .end = 0.08});
  CHECK(r.status == Status::ok);
  CHECK(r.rejected > 0);
  CHECK(r.smallest_step < 8e-3);
  CHECK(state.t == catena_test::relative(0.08, 1e-14));
  // of the same order of accuracy as the uncut run: h^2
  Run uncut(system, 8e-3);
  uncut.until(0.08);
  CHECK(distance(coordinates(system, state), coordinates(system, uncut.state)) < 1e-3);
}

TEST_CASE("what fails at every size ends the run, with cause and culprit") {
  Model model = helix(5);
  model.add(Breakdown{.bodies = {model.find_body("link 2")}, .instant = 0.0105});
  const MultibodySystem system(std::move(model));
  GeneralizedAlpha stepper;
  State state = system.initial_state();
  const RunResult r = catena::run(system, stepper, state, RunOptions{.step = 1e-3, .end = 0.02});
  CHECK(r.status == Status::step_too_small);
  CHECK(r.cause == Status::not_finite);
  CHECK(r.culprit.name == "force \"breakdown 0\" (breakdown)");
  CHECK(state.t > 0.0104);  // cut steps have come close
  CHECK(state.t < 0.0105);
}

TEST_CASE("a run whose steps never converge ends with the worst residual, its owner and the state before") {
  const MultibodySystem system(helix(20));
  Options o;
  o.engine.max_newton_iterations = 1;
  for (const Index index : {Index::three, Index::two}) {
    o.index = index;
    GeneralizedAlpha stepper(o);
    State state = system.initial_state(), started = state;
    GeneralizedAlpha other(o);
    REQUIRE(other.attach(system).status == Status::ok);
    REQUIRE(other.start(started, 1e-2).status == Status::ok);
    const RunResult r =
        catena::run(system, stepper, state, RunOptions{.step = 1e-2, .end = 1.0, .max_cuts = 3});
    CHECK(r.status == Status::step_too_small);
    CHECK(r.cause == Status::newton_not_converged);
    CHECK(r.steps == 0);
    CHECK(stepper.statistics().rejected_steps == 4);  // h, h/2, h/4, h/8
    CHECK(catena_test::same_state(state, started));
    CHECK(names_somebody(r.culprit));
    const std::string& what = r.culprit.quantity;
    CHECK((what == "force balance" || what == "position residual" || what == "velocity residual"));
    CHECK(std::isfinite(r.culprit.value));
    CHECK(r.culprit.value != 0.0);
  }
}

}  // namespace generalized_alpha_failure_tests
