// The local errors of implicit methods: the estimate beside the true error, steps chosen by it, and what rejected attempts
// leave behind.
#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/kkt/consistent.hpp>
#include <catena/problems/heavy_top.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/solvers/alpha_rattle.hpp>
#include <catena/solvers/discrete_action.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/solvers/hht.hpp>
#ifdef CATENA_HAS_SUNDIALS
#include <catena/solvers/ida.hpp>
#endif
#include <catena/solvers/lie_dae.hpp>
#include <catena/solvers/newmark.hpp>
#include <catena/solvers/rattle.hpp>

#include "support/relative.hpp"
#include "support/same_state.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace local_errors_tests {

namespace {

using namespace catena;
using namespace catena::detail;

using Make = std::unique_ptr<Stepper> (*)(double tolerance);

EngineOptions& engine_of(HhtOptions& o) { return o.implicit.engine; }
EngineOptions& engine_of(NewmarkOptions& o) { return o.implicit.engine; }
EngineOptions& engine_of(auto& o) { return o.engine; }

template <class S, class Options>
std::unique_ptr<Stepper> made(Options o, double tolerance) {
  engine_of(o).newton_tolerance = 1e-13;
  engine_of(o).tolerance = tolerance;
  return std::make_unique<S>(o);
}
std::unique_ptr<Stepper> alpha_3(double t) { return made<GeneralizedAlpha>(GeneralizedAlphaOptions{}, t); }
std::unique_ptr<Stepper> alpha_2(double t) {
  return made<GeneralizedAlpha>(GeneralizedAlphaOptions{.index = GeneralizedAlphaOptions::Index::two}, t);
}
std::unique_ptr<Stepper> bdf_2(double t) { return made<LieDae>(LieDaeOptions{}, t); }
std::unique_ptr<Stepper> euler(double t) { return made<LieDae>(LieDaeOptions{.order = 1}, t); }
std::unique_ptr<Stepper> hht(double t) { return made<Hht>(HhtOptions{}, t); }

Model top() { return HeavyTop().model(); }

Model helix(int n) {
  HelixChainParameters p;
  p.n = n;
  return HelixChain(p).model();
}

// The state at time `end`, to about 1e-12.
State exact(const System& system, State s, double end) {
  DormandPrinceOptions o;
  o.rtol_position = o.atol_position = o.rtol_velocity = o.atol_velocity = 1e-13;
  DormandPrince stepper(o);
  REQUIRE(stepper.attach(system).status == Status::ok);
  REQUIRE(stepper.start(s, 1e-4).status == Status::ok);
  while (s.t < end) REQUIRE(stepper.step(s, end - s.t).status == Status::ok);
  return s;
}

std::vector<double> increment(const System& system, const State& from, const State& to) {
  std::vector<double> x(to.v.size());
  system.difference(from.q.data(), to.q.data(), x.data());
  return x;
}

// Its largest component, in characteristic sizes.
double distance(const System& system, const State& a, const State& b) {
  const std::vector<double> x = increment(system, a, b);
  double largest = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k)
    largest = std::max(largest, std::abs(x[k]) / system.layout().scale[k]);
  return largest;
}

// Of the step between two states, in characteristic sizes, less what positions had drifted before (index 2, ida).
double true_error(const System& system, const State& before, const State& after) {
  State from = before;
  REQUIRE(project_positions(system, from).status == Status::ok);
  const std::vector<double> drifted = increment(system, from, before);
  const std::vector<double> left = increment(system, exact(system, from, after.t), after);
  double error = 0.0;
  for (std::size_t k = 0; k < left.size(); ++k)
    error = std::max(error, std::abs(left[k] - drifted[k]) / system.layout().scale[k]);
  return error;
}

// Of a step behind twenty others, by the stepper's estimate and in truth.
struct Errors {
  double estimate, error;
};
Errors of_a_step(const System& system, Stepper& stepper, double h) {
  stepper.estimate_errors(true);
  REQUIRE(stepper.attach(system).status == Status::ok);
  State s = system.initial_state();
  REQUIRE(stepper.start(s, h).status == Status::ok);
  for (int k = 0; k < 20; ++k) REQUIRE(stepper.step(s, h).status == Status::ok);
  const State before = s;
  const Outcome o = stepper.step(s, h);
  REQUIRE(o.status == Status::ok);
  REQUIRE(o.error.known());
  return {o.error.largest, true_error(system, before, s)};
}

// The run with steps that the stepper chooses.
State chosen(const System& system, Stepper& stepper, double end, double first = 1e-2) {
  REQUIRE(stepper.attach(system).status == Status::ok);
  State s = system.initial_state();
  REQUIRE(stepper.start(s, first).status == Status::ok);
  while (s.t < end) {
    const Outcome o = stepper.step(s, std::min(stepper.proposed_step(s), end - s.t));
    REQUIRE(o.status == Status::ok);
  }
  return s;
}

}  // namespace

TEST_CASE("the estimate of a step is its true error to leading order, on the heavy top") {
  const MultibodySystem system(top());
  struct Case {
    const char* name;
    Make make;
    double order, h;  // index 2: shorter steps, in which the drift of positions hardly turns
  };
  for (const Case& c :
       {Case{"generalized_alpha, index 3", &alpha_3, 2.0, 1e-3},
        Case{"generalized_alpha, index 2", &alpha_2, 2.0, 6.25e-5}, Case{"hht", &hht, 2.0, 1e-3},
        Case{"lie_dae, BDF2", &bdf_2, 2.0, 1e-3}, Case{"lie_dae, Euler", &euler, 1.0, 1e-3}}) {
    CAPTURE(c.name);
    double before = 0.0;
    for (const double h : {c.h, 0.5 * c.h}) {
      const Errors seen = of_a_step(system, *c.make(0.0), h);
      CAPTURE(h);
      CHECK(seen.estimate == catena_test::relative(seen.error, 0.1));
      if (before > 0.0)
        CHECK(std::log2(before / seen.estimate) == catena_test::relative(c.order + 1.0, 0.03));
      before = seen.estimate;
    }
  }
}

TEST_CASE("the estimate of a method without a table is its true error to leading order, on the heavy top") {
  const MultibodySystem poses(top());
  const QuaternionSystem quaternions(top());
  struct Case {
    const System& system;
    std::unique_ptr<Stepper> stepper;
  };
  Case cases[] = {{poses, std::make_unique<Rattle>()},
                  {poses, std::make_unique<AlphaRattle>()},
                  {quaternions, std::make_unique<DiscreteAction>()}};
  for (const Case& c : cases) {
    CAPTURE(c.stepper->traits().name);
    double before = 0.0;
    for (const double h : {1e-3, 5e-4}) {
      const Errors seen = of_a_step(c.system, *c.stepper, h);
      CAPTURE(h);
      CHECK(seen.estimate == catena_test::relative(seen.error, 0.1));
      if (before > 0.0) CHECK(before > 6.0 * seen.estimate);  // order 3, at another place of the motion
      before = seen.estimate;
    }
  }
}

TEST_CASE(
    "rattle of order 4 has no estimate, since its increment is more accurate than what would measure it") {
  const MultibodySystem system(top());
  Rattle stepper({.order = RattleOptions::Order::four});
  stepper.estimate_errors(true);
  REQUIRE(stepper.attach(system).status == Status::ok);
  State s = system.initial_state();
  REQUIRE(stepper.start(s, 1e-3).status == Status::ok);
  CHECK_FALSE(stepper.step(s, 1e-3).error.known());
}

#ifdef CATENA_HAS_SUNDIALS
// The history that its formulas start from is wrong by the errors of the steps before, which the estimate leaves out.
TEST_CASE("the estimate of ida is its own, of the size of the true error of a step, where it is asked for") {
  const QuaternionSystem system(top());
  Ida stepper(IdaOptions{.rtol = 1e-6, .atol = 1e-6});
  REQUIRE(stepper.attach(system).status == Status::ok);
  State s = system.initial_state();
  REQUIRE(stepper.start(s, 1e-3).status == Status::ok);
  for (int k = 0; k < 40; ++k) CHECK_FALSE(stepper.step(s, 1e-2).error.known());
  stepper.estimate_errors(true);
  for (int k = 0; k < 5; ++k) {
    const State before = s;
    const Outcome o = stepper.step(s, 1e-2);
    REQUIRE(o.error.known());
    const double error = true_error(system, before, s);
    CAPTURE(error);
    CHECK(o.error.largest > 0.1 * error);
    CHECK(o.error.largest < 10.0 * error);
  }
}
#endif

TEST_CASE("an estimate changes no bit of a run, and is made only where it is asked for") {
  const MultibodySystem system(helix(5));
  for (const Make make : {&alpha_3, &alpha_2, &bdf_2}) {
    const auto plain = make(0.0), asked = make(0.0);
    asked->estimate_errors(true);
    REQUIRE(plain->attach(system).status == Status::ok);
    REQUIRE(asked->attach(system).status == Status::ok);
    State a = system.initial_state(), b = a;
    REQUIRE(plain->start(a, 1e-3).status == Status::ok);
    REQUIRE(asked->start(b, 1e-3).status == Status::ok);
    for (int k = 0; k < 10; ++k) {
      const double h = k % 3 == 0 ? 5e-4 : 1e-3;
      CHECK_FALSE(plain->step(a, h).error.known());
      CHECK(asked->step(b, h).error.known());
    }
    CHECK(catena_test::same_state(a, b));
    CHECK(asked->statistics().factorizations == plain->statistics().factorizations);
  }
}

TEST_CASE("steps chosen by the error: what a run is wrong by falls in proportion to the tolerance") {
  for (const bool chain : {false, true}) {
    const MultibodySystem system(chain ? helix(4) : top());
    const double end = chain ? 0.3 : 0.1;
    const State reference = exact(system, system.initial_state(), end);
    for (const Make make : {&alpha_3, &alpha_2, &bdf_2, &hht}) {
      double error[3];
      int k = 0;
      for (const double part : {1.0, 0.1, 0.01}) {
        const double tolerance = part * (chain ? 1e-4 : 1e-3);
        const auto stepper = make(tolerance);
        const State s = chosen(system, *stepper, end);
        CAPTURE(stepper->traits().name);
        error[k++] = distance(system, reference, s);
      }
      const double slope = std::log10(error[0] / error[2]) / 2.0;
      CHECK(slope > 0.8);
      CHECK(slope < 1.2);
    }
  }
}

// Increments of Newmark's method are exact to v' with any gamma: what makes it of order 1 is in its velocities.
TEST_CASE("newmark of order 2 chooses its steps by its error, of order 1 it refuses a tolerance") {
  const MultibodySystem system(helix(4));
  constexpr double end = 0.1;
  const State reference = exact(system, system.initial_state(), end);
  NewmarkOptions second{.gamma = 0.5};
  second.implicit.index = ImplicitOptions::Index::two;
  double error[2];
  int k = 0;
  for (const double tolerance : {1e-3, 1e-5})
    error[k++] = distance(system, reference, chosen(system, *made<Newmark>(second, tolerance), end));
  CHECK(std::log10(error[0] / error[1]) / 2.0 == catena_test::relative(1.0, 0.2));
  const auto first = made<Newmark>(NewmarkOptions{}, 1e-3);
  CHECK(first->refuses(system).starts_with("newmark with gamma above 1/2 is of order 1 by its velocities"));
  CHECK(made<Newmark>(NewmarkOptions{}, 0.0)->refuses(system).empty());
  // Where it is asked for an estimate it gives that of the increments by Hermite's rule.
  CHECK(of_a_step(system, *made<Newmark>(NewmarkOptions{}, 0.0), 1e-3).estimate > 0.0);
}

// From rest the error of q begins at zero, and long steps put errors into v (docs/theory/tables.md): a run in motion has
// none of that, and the constant of proportionality is that of the motion.
TEST_CASE("steps chosen by the error in a chain that moves: errors are between 0.5 and 1.5 tolerances") {
  const MultibodySystem system(helix(4));
  const State moving = exact(system, system.initial_state(), 0.1), end = exact(system, moving, 0.4);
  for (const Make make : {&alpha_3, &alpha_2, &bdf_2})
    for (const double tolerance : {1e-4, 1e-5, 1e-6}) {
      const auto stepper = make(tolerance);
      REQUIRE(stepper->attach(system).status == Status::ok);
      State s = moving;
      REQUIRE(stepper->start(s, 1e-2).status == Status::ok);
      while (s.t < end.t)
        REQUIRE(stepper->step(s, std::min(stepper->proposed_step(s), end.t - s.t)).status == Status::ok);
      const double error = distance(system, end, s);
      CAPTURE(stepper->traits().name);
      CAPTURE(stepper->traits().position_residual);
      CHECK(error > 0.5 * tolerance);
      CHECK(error < 1.5 * tolerance);
    }
}

TEST_CASE("a run of chosen steps that is continued from a copy by another object carries the same bits") {
  const MultibodySystem system(helix(4));
  for (const Make make : {&alpha_3, &alpha_2, &bdf_2}) {
    const auto one = make(1e-4), other = make(1e-4);
    REQUIRE(one->attach(system).status == Status::ok);
    REQUIRE(other->attach(system).status == Status::ok);
    State s = system.initial_state();
    REQUIRE(one->start(s, 1e-2).status == Status::ok);
    for (int k = 0; k < 15; ++k) REQUIRE(one->step(s, one->proposed_step(s)).status == Status::ok);
    State copy = s;
    for (int k = 0; k < 25; ++k) {
      CHECK(one->proposed_step(s) == other->proposed_step(copy));
      REQUIRE(one->step(s, one->proposed_step(s)).status == Status::ok);
      REQUIRE(other->step(copy, other->proposed_step(copy)).status == Status::ok);
    }
    CHECK(catena_test::same_state(s, copy));
  }
}

TEST_CASE("rejected attempts leave no trace: the step that is taken has the bits of that step alone") {
  const MultibodySystem system(helix(4));
  for (const Make make : {&alpha_3, &alpha_2, &bdf_2}) {
    const auto hasty = make(1e-4), calm = make(1e-4);
    State s = chosen(system, *hasty, 0.05);
    REQUIRE(calm->attach(system).status == Status::ok);
    State copy = s;
    const long rejected = hasty->statistics().rejected_by_error;
    const Outcome o = hasty->step(s, 0.05);  // far too long
    REQUIRE(o.status == Status::ok);
    CHECK(hasty->statistics().rejected_by_error > rejected);
    CHECK(o.h_taken < 0.05);
    REQUIRE(calm->step(copy, o.h_taken).status == Status::ok);
    CHECK(calm->statistics().rejected_steps == 0);
    CHECK(s.q == copy.q);
    CHECK(s.v == copy.v);
    CHECK(s.a == copy.a);
    CHECK(s.lambda == copy.lambda);
    const StepperStatistics& n = hasty->statistics();
    CHECK(n.rejected_by_error + n.rejected_by_newton <= n.rejected_steps);
  }
}

TEST_CASE("attempts that fail of Newton's iteration are counted apart from those that are too inaccurate") {
  const MultibodySystem system(helix(4));
  GeneralizedAlphaOptions o;
  o.engine.tolerance = 1.0;  // nothing is too inaccurate at steps that Newton's iteration bears
  o.engine.max_newton_iterations = 3;
  GeneralizedAlpha stepper(o);
  REQUIRE(stepper.attach(system).status == Status::ok);
  State s = system.initial_state();
  REQUIRE(stepper.start(s, 1e-3).status == Status::ok);
  const Outcome outcome = stepper.step(s, 0.2);
  REQUIRE(outcome.status == Status::ok);
  CHECK(outcome.h_taken < 0.2);
  CHECK(stepper.statistics().rejected_by_newton > 0);
  CHECK(stepper.statistics().rejected_by_newton + stepper.statistics().rejected_by_error ==
        stepper.statistics().rejected_steps);
  CHECK(stepper.statistics().steps == 1);
}

TEST_CASE(
    "a step that no size makes accurate enough ends with the owner of the error, and the state is "
    "untouched") {
  const MultibodySystem system(helix(4));
  GeneralizedAlphaOptions o;
  o.engine.tolerance = 1e-300;
  GeneralizedAlpha stepper(o);
  REQUIRE(stepper.attach(system).status == Status::ok);
  State s = system.initial_state();
  s.t = 1.0;  // whose roundoff ends the cuts
  REQUIRE(stepper.start(s, 1e-3).status == Status::ok);
  const State before = s;
  const Outcome outcome = stepper.step(s, 1e-3);
  CHECK(outcome.status != Status::ok);
  CHECK(catena_test::same_state(s, before));
}

}  // namespace local_errors_tests
