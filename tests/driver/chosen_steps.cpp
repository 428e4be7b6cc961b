// Runs whose steps the stepper chooses: output at the instants of the grid, steps as the error asks.
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/problems/heavy_top.hpp>
#include <catena/solvers/dormand_prince.hpp>

#include "support/relative.hpp"
#include "support/residual.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace catena;

namespace {

struct Recorder : Sink {
  std::vector<State> states;
  void accept(const State& s, const Outcome&) override { states.push_back(s); }
};
struct Counter : Observer {
  std::vector<double> t;
  bool observe(const State& s) override {
    t.push_back(s.t);
    return true;
  }
};

}  // namespace

TEST_CASE("sinks see every K-th instant of the grid, observers the steps; both see consistent states") {
  const MultibodySystem top(HeavyTop().model());
  DormandPrinceOptions options;
  options.rtol_position = options.atol_position = options.rtol_velocity = options.atol_velocity = 1e-9;
  DormandPrince stepper(options);
  State state = top.initial_state();
  Recorder recorder;
  Counter counter;
  const RunResult result =
      run(top, stepper, state, {.step = 1e-3, .end = 0.1, .every = 2}, {{&recorder}, {&counter}, nullptr});
  CHECK(result.status == Status::ok);
  CHECK(result.instants == 100);
  REQUIRE(recorder.states.size() == 51);
  CHECK(static_cast<long>(counter.t.size()) == result.steps + 1);
  CHECK(result.steps != 100);
  CHECK(state.t == 0.1);
  CHECK(result.smallest_step > 0.0);
  CHECK(result.largest_step > result.smallest_step);

  DormandPrinceOptions tight = options;
  tight.rtol_position = tight.atol_position = tight.rtol_velocity = tight.atol_velocity = 1e-13;
  for (std::size_t k = 0; k < recorder.states.size(); ++k) {
    const State& s = recorder.states[k];
    CHECK(s.t == catena_test::component(2e-3 * static_cast<double>(k), 1e-14, 2e-3));
    CHECK(catena_test::residual(top, s, &Evaluation::position) <= 1e-13);
    CHECK(catena_test::residual(top, s, &Evaluation::velocity) <= 1e-12);  // at 150 rad/s
    if (k % 10 != 5) continue;
    // An interpolated state is as exact as the steps, its accelerations and multipliers too.
    DormandPrince exact(tight);
    State there = top.initial_state();
    run(top, exact, there, {.step = 1.0, .end = s.t});
    for (std::size_t i = 0; i < 6; ++i) {
      CHECK(std::abs(s.v[i] - there.v[i]) <= 2e-6);
      CHECK(std::abs(s.q[i] - there.q[i]) <= 1e-8);
      CHECK(std::abs(s.a[i] - there.a[i]) <= 1e-3);
    }
    for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(s.lambda[i] - there.lambda[i]) <= 1e-3);
  }
}

TEST_CASE("output does not change the steps") {
  const MultibodySystem top(HeavyTop().model());
  const auto end = [&](double step, bool listen) {
    DormandPrince stepper;
    State state = top.initial_state();
    Recorder recorder;
    Listeners listeners;
    if (listen) listeners.sinks = {&recorder};
    run(top, stepper, state, {.step = step, .end = 0.05}, listeners);
    return state;
  };
  const State coarse = end(0.05, false), fine = end(1e-3, true);
  CHECK(coarse.q == fine.q);
  CHECK(coarse.v == fine.v);
  CHECK(coarse.memory == fine.memory);
}
