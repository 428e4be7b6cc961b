// What holds for every stepper whose steps end on the constraints and that carries its history in the state.
#pragma once
#include <catena/driver/run.hpp>
#include <catena/stepper/stepper.hpp>

#include "solvers/dormand_prince_support.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace catena_test::projected {

using catena::State, catena::Status, catena::Stepper, catena::System;
using explicit_rk::largest_difference;

inline double distance(const System& system, const State& a, const State& b) {
  std::vector<double> d(a.v.size());
  system.difference(a.q.data(), b.q.data(), d.data());
  return largest_difference(d, std::vector<double>(d.size()));
}

// With error control to `end`; the work goes to counts.
template <class Method, class Options>
State run_to(const System& system, const Options& options, double end,
             catena::StepperStatistics* counts = nullptr) {
  Method stepper(options);
  State state = system.initial_state();
  const catena::RunResult result = run(system, stepper, state, {.step = end, .end = end, .verdict = false});
  REQUIRE(result.status == Status::ok);
  if (counts != nullptr) *counts = stepper.statistics();
  return state;
}

// The size of the longest of some steps on the heavy top, at whose ends rows, rates and balance are roundoff.
inline double longest_step_on_rows(Stepper& stepper, const System& top, int steps) {
  std::vector<double> balance(static_cast<std::size_t>(top.layout().v_size()));
  const std::vector<double> zero(balance.size(), 0.0);
  State state = top.initial_state();
  REQUIRE(stepper.attach(top).status == Status::ok);
  REQUIRE(stepper.start(state, 1e-3).status == Status::ok);
  double longest = 0.0;
  for (int k = 0; k < steps; ++k) {
    const catena::Outcome outcome = stepper.step(state, 1.0);
    REQUIRE(outcome.status == Status::ok);
    longest = std::max(longest, outcome.h_taken);
    catena::Point at = point_of(state);
    at.a = state.a.data();
    at.lambda = state.lambda.data();
    catena::Evaluation wanted;
    wanted.balance = balance.data();
    top.evaluate(at, wanted);
    const explicit_rk::Rows rows = explicit_rk::largest_rows(top, state);
    CHECK(rows.position <= 1e-15);
    CHECK(rows.velocity <= 1e-13);                     // of speeds of 150 m/s
    CHECK(rows.acceleration <= 1e-9);                  // of 2e4 m/s^2
    CHECK(largest_difference(balance, zero) <= 1e-8);  // of 3e5 N
  }
  return longest;
}

// `other`, a stepper with the options of `one`, continues its run from a copied state with the same bits.
inline void check_copied_state(Stepper& one, Stepper& other, const System& system) {
  State state = system.initial_state();
  REQUIRE(one.attach(system).status == Status::ok);
  REQUIRE(one.start(state, 0.01).status == Status::ok);
  for (int k = 0; k < 10; ++k) REQUIRE(one.step(state, 0.01).status == Status::ok);
  State copy = state;
  REQUIRE(other.attach(system).status == Status::ok);
  for (int k = 0; k < 10; ++k) {
    REQUIRE(one.step(state, 0.01).status == Status::ok);
    REQUIRE(other.step(copy, 0.01).status == Status::ok);
  }
  CHECK(state.q == copy.q);
  CHECK(state.v == copy.v);
  CHECK(state.memory == copy.memory);
}

}  // namespace catena_test::projected
