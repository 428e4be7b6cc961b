// dop853: its order on groups with constraints, its dense output, its errors, and what it saves.
#include <catena/problems/four_bar.hpp>
#include <catena/problems/heavy_top.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/problems/rolling_disc.hpp>
#include <catena/solvers/dop853.hpp>

#include "solvers/dormand_prince_support.hpp"

namespace dop853_tests {

using namespace catena_test::explicit_rk;

namespace {

template <class S>
State end_of(const System& system, double h, int steps) {
  S stepper(fixed_step());
  State state = system.initial_state();
  REQUIRE(stepper.attach(system).status == Status::ok);
  REQUIRE(stepper.start(state, h).status == Status::ok);
  for (int k = 0; k < steps; ++k) REQUIRE(stepper.step(state, h).status == Status::ok);
  return state;
}

double distance(const System& system, const State& a, const State& b) {
  std::vector<double> d(a.v.size());
  system.difference(a.q.data(), b.q.data(), d.data());
  return largest_difference(d, std::vector<double>(d.size()));
}

// log2 of the errors at h and h/2, against h/8; multipliers where no row is redundant.
Orders orders(const System& system, double h, int steps) {
  const State coarse = end_of<Dop853>(system, h, steps), fine = end_of<Dop853>(system, 0.5 * h, 2 * steps),
              best = end_of<Dop853>(system, 0.125 * h, 8 * steps);
  return {std::log2(distance(system, coarse, best) / distance(system, fine, best)),
          std::log2(largest_difference(coarse.v, best.v) / largest_difference(fine.v, best.v)),
          std::log2(largest_difference(coarse.lambda, best.lambda) /
                    largest_difference(fine.lambda, best.lambda))};
}

template <class S>
StepperStatistics work_at(const System& system, double tol, double end, State& state) {
  S stepper(tolerance(tol));
  state = system.initial_state();
  const RunResult result = run(system, stepper, state, {.step = end, .end = end, .verdict = false});
  REQUIRE(result.status == Status::ok);
  return stepper.statistics();
}

// The next term of an error shifts an order that is measured at finite h by less than this in all cases below.
constexpr double eighth = 7.6;

}  // namespace

TEST_CASE(
    "dop853 is of order 8 in q, v and lambda, on bodies with constraints and with rows at velocity level") {
  const MultibodySystem top(HeavyTop().model()), chain(HelixChain({.n = 3}).model());
  const RollingDiscProblem rolling;
  std::unique_ptr<System> disc = rolling.own_system();
  if (!disc) disc = std::make_unique<MultibodySystem>(rolling.model());
  const auto check = [](const Orders& o) {
    CHECK(o.q >= eighth);
    CHECK(o.v >= eighth);
    CHECK(o.lambda >= eighth);
  };
  check(orders(top, 4e-3, 10));
  check(orders(chain, 2e-2, 20));
  check(orders(*disc, 8e-2, 5));
}

TEST_CASE("dop853 closes a loop with redundant rows") {
  const MultibodySystem loop(FourBar().model());
  const State coarse = end_of<Dop853>(loop, 2e-2, 10), best = end_of<Dop853>(loop, 1e-3, 200);
  CHECK(distance(loop, coarse, best) <= 1e-8);
  const Orders o = orders(loop, 0.06, 7);  // smaller steps end in roundoff
  CHECK(o.q >= eighth);
  CHECK(o.v >= eighth);
  const Rows rows = largest_rows(loop, coarse);
  CHECK(rows.position <= 1e-14);
  CHECK(rows.velocity <= 1e-13);
}

TEST_CASE("its dense output is of order 7, and costs three evaluations in a step that is asked for it") {
  const MultibodySystem top(HeavyTop().model());
  const auto error = [&](double h) {
    Dop853 stepper(fixed_step()), exact(fixed_step());
    State state = top.initial_state();
    stepper.attach(top), exact.attach(top);
    stepper.start(state, h);
    State fine = state;
    stepper.step(state, h);
    const long before = stepper.statistics().factorizations;
    std::vector<double> q(state.q.size()), v(state.v.size()), d(state.v.size());
    double worst = 0.0;
    constexpr int parts = 8;
    for (int k = 1; k <= parts; ++k) {
      exact.step(fine, h / parts);
      stepper.interpolate(static_cast<double>(k) / parts, q.data(), v.data());
      top.difference(fine.q.data(), q.data(), d.data());
      worst = std::max(worst, largest_difference(d, std::vector<double>(d.size())));
    }
    CHECK(stepper.statistics().factorizations == before + 3);
    return worst;
  };
  // Inside one step the error of an interpolant of order 7 falls with h^8.
  CHECK(std::log2(error(8e-3) / error(4e-3)) >= 7.4);
}

TEST_CASE("asking for the dense output changes no bit of the steps behind it") {
  const MultibodySystem chain(HelixChain({.n = 3}).model());
  Dop853 asked(tolerance(1e-8)), plain(tolerance(1e-8));
  State one = chain.initial_state(), other = one;
  std::vector<double> q(one.q.size()), v(one.v.size());
  for (auto [stepper, state] : {std::pair{&asked, &one}, std::pair{&plain, &other}}) {
    REQUIRE(stepper->attach(chain).status == Status::ok);
    REQUIRE(stepper->start(*state, 1e-2).status == Status::ok);
    for (int k = 0; k < 10; ++k) {
      REQUIRE(stepper->step(*state, 1e-2).status == Status::ok);
      if (stepper == &asked) stepper->interpolate(0.3, q.data(), v.data());
    }
  }
  CHECK(one.q == other.q);
  CHECK(one.v == other.v);
  CHECK(one.lambda == other.lambda);
  CHECK(one.memory == other.memory);
}

TEST_CASE(
    "heavy top at a tolerance of 1e-10: a third of the evaluations of dormand_prince, and errors below it") {
  const MultibodySystem top(HeavyTop().model());
  State by_8, by_5, exact;
  const StepperStatistics eight = work_at<Dop853>(top, 1e-10, 0.02, by_8),
                          five = work_at<DormandPrince>(top, 1e-10, 0.02, by_5);
  work_at<Dop853>(top, 1e-13, 0.02, exact);
  CHECK(3 * eight.evaluations <= five.evaluations);
  // Both are far below the tolerance, which velocities of 150 rad/s decide.
  CHECK(distance(top, by_8, exact) <= 1e-10);
  CHECK(distance(top, by_5, exact) <= 1e-10);
}

// An evaluation a stage; at the end that of the matrix, that of the rows behind the move of q, that of the rows of v with the
// balance, and two of the balance at most.
TEST_CASE(
    "explicit steps evaluate once a stage and five times at most at their end, and factorise once a stage") {
  const MultibodySystem chain(HelixChain({.n = 5}).model());
  ExplicitOptions plain = fixed_step();
  plain.guards.guards = GuardMode::off;  // their looks at pivots are counted too
  const auto check = [&](auto stepper, double h, long stages) {
    State state = chain.initial_state();
    REQUIRE(stepper.attach(chain).status == Status::ok);
    REQUIRE(stepper.start(state, h).status == Status::ok);
    const StepperStatistics before = stepper.statistics();
    constexpr long steps = 20;
    for (long k = 0; k < steps; ++k) REQUIRE(stepper.step(state, h).status == Status::ok);
    CHECK(stepper.statistics().factorizations - before.factorizations == stages * steps);
    CHECK(stepper.statistics().evaluations - before.evaluations <= (stages + 4) * steps);
  };
  check(DormandPrince(plain), 2e-2, 6);
  check(Dop853(plain), 2e-2, 12);
}

}  // namespace dop853_tests
