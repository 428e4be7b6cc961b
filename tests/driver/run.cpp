#include <catena/driver/run.hpp>

#include "support/relative.hpp"
#include "support/toy.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace run_tests {

using namespace catena;
using catena_test::ToyPendulum;
using catena_test::ToyStepper;

namespace {

struct Recorder : Sink {
  std::vector<double> t;
  int begun = 0, ended = 0;
  void begin(const System&) override { ++begun; }
  void accept(const State& state, const Outcome&) override { t.push_back(state.t); }
  void end() override { ++ended; }
};

struct CountingObserver : Observer {
  std::vector<double> t;
  double stop_at = 1e300;
  bool observe(const State& state) override {
    t.push_back(state.t);
    return state.t < stop_at;
  }
};

RunResult run_toy(ToyStepper& stepper, State& state, const RunOptions& options, const Listeners& listeners) {
  static const ToyPendulum system;
  if (state.q.empty()) state = system.initial_state();
  RunOptions bare = options;  // the toy is no pendulum: its steps end as a test wants
  bare.verdict = false;
  return run(system, stepper, state, bare, listeners);
}

}  // namespace

TEST_CASE("sinks see the start, every K-th instant and the end, once each") {
  ToyStepper stepper;
  State state;
  Recorder recorder;
  CountingObserver observer;
  const RunResult result =
      run_toy(stepper, state, {.step = 0.1, .end = 1.0, .every = 4}, {{&recorder}, {&observer}, nullptr});
  CHECK(result.status == Status::ok);
  CHECK(result.steps == 10);
  CHECK(result.rejected == 0);
  CHECK(result.instants == 10);
  CHECK(result.t_end == 1.0);
  CHECK(state.t == 1.0);
  CHECK(recorder.t == std::vector<double>{0.0, 0.4, 0.8, 1.0});
  CHECK(recorder.begun == 1);
  CHECK(recorder.ended == 1);
  CHECK(observer.t.size() == 11);
  CHECK(result.seconds_total >= result.seconds_stepping + result.seconds_setup);
  CHECK(result.seconds_fastest_step > 0.0);
  CHECK(result.seconds_stepping >= 10 * result.seconds_fastest_step);
}

TEST_CASE("a recoverable failure cuts the step and the output instants stay the same") {
  ToyStepper stepper;
  // Between 0.25 and 0.55 s no step above 0.02 s succeeds.
  stepper.fails = [](double t, double h) {
    return t + h > 0.25 && t < 0.55 && h > 0.02 ? Status::newton_not_converged : Status::ok;
  };
  State state;
  Recorder recorder;
  const RunResult result = run_toy(stepper, state, {.step = 0.1, .end = 1.0}, {{&recorder}, {}, nullptr});
  CHECK(result.status == Status::ok);
  CHECK(result.rejected > 0);
  // What a smaller step has cured has no culprit.
  CHECK(result.culprit.name.empty());
  CHECK(result.culprit.quantity.empty());
  CHECK(result.steps > 10);
  CHECK(result.instants == 10);
  CHECK(result.smallest_step == 0.1 / 8);
  REQUIRE(recorder.t.size() == 11);
  for (int k = 0; k <= 10; ++k) CHECK(recorder.t[static_cast<std::size_t>(k)] == (k == 10 ? 1.0 : k * 0.1));
  // Back on the grid at the end: the last step was a whole one.
  CHECK(stepper.attempts.back() == 0.1);
}

TEST_CASE("a step that fails down to h/1024 ends the run with the culprit and the last good state") {
  ToyStepper stepper;
  stepper.fails = [](double t, double h) { return t + h > 0.5005 ? Status::singular_kkt : Status::ok; };
  State state;
  Recorder recorder;
  const RunResult result =
      run_toy(stepper, state, {.step = 0.1, .end = 1.0, .every = 3}, {{&recorder}, {}, nullptr});
  CHECK(result.status == Status::step_too_small);
  CHECK(result.cause == Status::singular_kkt);
  CHECK(result.culprit.name == "rod (distance)");
  CHECK(result.culprit.quantity == "position residual");
  CHECK(result.culprit.value == 0.5);
  CHECK(stepper.attempts.back() == 0.1 / 1024);
  // 0.5005 lies at 5.12 units of h/1024 behind 0.5: five of them fit.
  CHECK(state.t == catena_test::relative(0.5 + 5 * 0.1 / 1024, 1e-14));
  CHECK(result.t_end == state.t);
  CHECK(result.instants == 5);
  REQUIRE(recorder.t.size() == 3);  // 0, 0.3 and, although off the grid, the last state
  CHECK(recorder.t.back() == state.t);
  CHECK(recorder.ended == 1);
}

TEST_CASE("the number of cuts is the caller's choice") {
  ToyStepper stepper;
  stepper.fails = [](double t, double) { return t < 0.0 ? Status::ok : Status::not_finite; };
  State state;
  const RunResult result = run_toy(stepper, state, {.step = 0.1, .end = 1.0, .max_cuts = 2}, {});
  CHECK(result.status == Status::step_too_small);
  CHECK(stepper.attempts == std::vector<double>{0.1, 0.05, 0.025});
  CHECK(result.steps == 0);
  CHECK(result.seconds_fastest_step == 0.0);
}

TEST_CASE("a fatal failure ends the run at once") {
  ToyStepper stepper;
  stepper.fails = [](double t, double) { return t > 0.35 ? Status::unsupported : Status::ok; };
  State state;
  const RunResult result = run_toy(stepper, state, {.step = 0.1, .end = 1.0}, {});
  CHECK(result.status == Status::unsupported);
  CHECK(result.rejected == 0);
  CHECK(result.steps == 4);
  CHECK(result.t_end == state.t);
}

TEST_CASE("a stepper that refuses the system or cannot start leaves the state as it was") {
  ToyStepper stepper;
  stepper.refusal = "toy: wants a spring";
  State state;
  Recorder recorder;
  RunResult result = run_toy(stepper, state, {.step = 0.1, .end = 1.0}, {{&recorder}, {}, nullptr});
  CHECK(result.status == Status::unsupported);
  CHECK(result.message == "toy: wants a spring");
  CHECK(recorder.begun == 0);

  stepper.refusal.clear();
  stepper.fails = [](double, double) { return Status::inconsistent_start; };
  result = run_toy(stepper, state, {.step = 0.1, .end = 1.0}, {{&recorder}, {}, nullptr});
  CHECK(result.status == Status::inconsistent_start);
  CHECK(result.culprit.value == 0.25);
  CHECK(stepper.attempts.empty());
  CHECK(state.t == 0.0);
}

TEST_CASE("an observer stops the run after the state that it saw, and that state is written") {
  ToyStepper stepper;
  State state;
  Recorder recorder;
  CountingObserver observer;
  observer.stop_at = 0.45;
  const RunResult result =
      run_toy(stepper, state, {.step = 0.1, .end = 1.0, .every = 10}, {{&recorder}, {&observer}, nullptr});
  CHECK(result.status == Status::stopped);
  CHECK(!result.interrupted);
  CHECK(result.steps == 5);
  CHECK(recorder.t == std::vector<double>{0.0, 0.5});
}

TEST_CASE("the stop flag interrupts the run cleanly, and cuts before it name no culprit") {
  ToyStepper stepper;
  std::atomic<bool> stop = false;
  stepper.fails = [&](double t, double h) {
    if (t > 0.55) stop = true;
    return t > 0.45 && h > 0.06 ? Status::newton_not_converged : Status::ok;
  };
  State state;
  Recorder recorder;
  const RunResult result = run_toy(stepper, state, {.step = 0.1, .end = 1.0}, {{&recorder}, {}, &stop});
  CHECK(result.status == Status::stopped);
  CHECK(result.interrupted);
  CHECK(result.rejected > 0);
  CHECK(result.culprit.name.empty());
  CHECK(result.culprit.quantity.empty());
  CHECK(recorder.t.back() == state.t);
  CHECK(recorder.ended == 1);
}

TEST_CASE("a remark of the start is a remark, no culprit") {
  ToyStepper stepper;
  stepper.start_remark = {"rod (distance)", "velocity residual removed at the start", 0.5};
  State state;
  const RunResult result = run_toy(stepper, state, {.step = 0.1, .end = 1.0}, {});
  CHECK(result.status == Status::ok);
  CHECK(result.culprit.quantity.empty());
  CHECK(result.start_remark.name == "rod (distance)");
  CHECK(result.start_remark.value == 0.5);
}

TEST_CASE("a stepper that takes less than it is asked for is led on to the next instant") {
  ToyStepper stepper;
  // At most 0.03 s a step, so that three steps and a rest of 0.01 s make 0.1 s.
  stepper.takes = [](double, double h) { return std::min(h, 0.03); };
  State state;
  Recorder recorder;
  CountingObserver observer;
  const RunResult result =
      run_toy(stepper, state, {.step = 0.1, .end = 1.0, .every = 4}, {{&recorder}, {&observer}, nullptr});
  CHECK(result.status == Status::ok);
  CHECK(result.rejected == 0);
  CHECK(result.steps == 40);
  CHECK(result.instants == 10);
  CHECK(recorder.t == std::vector<double>{0.0, 0.4, 0.8, 1.0});
  CHECK(result.smallest_step == catena_test::relative(0.01, 1e-12));
  REQUIRE(observer.t.size() == 41);
  for (std::size_t k = 0; k <= 40; ++k) {  // t is the sum of 40 numbers below 1
    const std::size_t whole = k / 4, part = k % 4;
    CHECK(std::abs(observer.t[k] - (0.1 * static_cast<double>(whole) + 0.03 * static_cast<double>(part))) <
          40 * 1.2e-16);
  }
  // The trajectory of the same steps without a driver.
  const ToyPendulum system;
  ToyStepper by_hand;
  State other = system.initial_state();
  REQUIRE(by_hand.attach(system).status == Status::ok);
  by_hand.start(other, 0.1);
  for (int k = 0; k < 40; ++k) by_hand.step(other, k % 4 == 3 ? 0.01 : 0.03);
  for (std::size_t k = 0; k < 2; ++k) CHECK(std::abs(state.q[k] - other.q[k]) < 1e-13);
}

TEST_CASE("short steps and cut steps in one interval reach its end") {
  ToyStepper stepper;
  stepper.takes = [](double t, double h) { return t < 0.1 ? 0.7 * h : h; };
  stepper.fails = [](double t, double h) {
    return t > 0.05 && t < 0.6 && h > 0.02 ? Status::newton_not_converged : Status::ok;
  };
  State state;
  Recorder recorder;
  const RunResult result = run_toy(stepper, state, {.step = 0.2, .end = 1.0}, {{&recorder}, {}, nullptr});
  CHECK(result.status == Status::ok);
  CHECK(result.rejected > 0);
  CHECK(recorder.t == std::vector<double>{0.0, 0.2, 0.4, 0.2 * 3, 0.8, 1.0});
  CHECK(stepper.attempts.back() == 0.2);
}

TEST_CASE("a stepper that does not advance or goes too far ends the run with a sentence") {
  ToyStepper stepper;
  stepper.takes = [](double t, double h) { return t > 0.45 ? 0.0 : h; };
  State state;
  RunResult result = run_toy(stepper, state, {.step = 0.1, .end = 1.0}, {});
  CHECK(result.status == Status::step_too_small);
  CHECK(result.message == "the stepper reports success but time does not advance");
  CHECK(result.t_end == state.t);

  stepper.takes = [](double, double h) { return 1.5 * h; };
  State again;
  result = run_toy(stepper, again, {.step = 0.1, .end = 1.0}, {});
  CHECK(result.status == Status::unsupported);
  CHECK(result.message == "the stepper went beyond the step that it was asked for");
}

TEST_CASE("options outside their ranges are refused with a sentence before anything begins") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [](const RunOptions& options) {
    ToyStepper stepper;
    State state;
    Recorder recorder;
    try {
      run_toy(stepper, state, options, {{&recorder}, {}, nullptr});
    } catch (const std::invalid_argument& error) {
      CHECK(recorder.begun == 0);
      return std::string(error.what());
    }
    return std::string("not refused");
  };
  CHECK(refused({.every = 0}) == "the option \"every\" of a run must lie between 1 and 1e+09, is 0");
  CHECK(refused({.every = -3}) == "the option \"every\" of a run must lie between 1 and 1e+09, is -3");
  CHECK(refused({.step = 0.0}) == "the option \"step\" of a run must lie between 1e-12 and 1e+06, is 0");
  CHECK(refused({.step = -1e-3}) ==
        "the option \"step\" of a run must lie between 1e-12 and 1e+06, is -0.001");
  CHECK(refused({.step = nan}) == "the option \"step\" of a run must lie between 1e-12 and 1e+06, is nan");
  CHECK(refused({.end = -1.0}) == "the option \"end\" of a run must lie between 0 and 1e+12, is -1");
  CHECK(refused({.end = nan}) == "the option \"end\" of a run must lie between 0 and 1e+12, is nan");
  CHECK(refused({.max_cuts = -1}) == "the option \"max_cuts\" of a run must lie between 0 and 30, is -1");
  CHECK(refused({.max_cuts = 31}) == "the option \"max_cuts\" of a run must lie between 0 and 30, is 31");
  CHECK(refused({.step = 1e-12, .end = 1e12}) ==
        "a run from t = 0.000000 s to 1000000000000.000000 s has too many steps to count");
}

TEST_CASE("a sink that cannot write ends the run; the other sinks are complete") {
  struct Full : Sink {
    void accept(const State& state, const Outcome&) override {
      if (state.t > 0.25) throw SinkError("no space left");
    }
  } full;
  ToyStepper stepper;
  State state;
  Recorder recorder;
  const RunResult result =
      run_toy(stepper, state, {.step = 0.1, .end = 1.0}, {{&full, &recorder}, {}, nullptr});
  CHECK(result.status == Status::stopped);
  CHECK(result.sink_failed);
  CHECK(result.message == "no space left");
  CHECK(recorder.t.size() == 4);
  CHECK(recorder.ended == 1);
}

TEST_CASE("a run resumed from a saved state gives the same bits as one without a break") {
  const RunOptions whole{.step = 0.125, .end = 2.0};
  ToyStepper stepper;
  State once;
  run_toy(stepper, once, whole, {});

  State saved;
  run_toy(stepper, saved, {.step = 0.125, .end = 1.0}, {});
  State resumed = saved;  // a copy is a checkpoint
  ToyStepper fresh;
  const RunResult result = run_toy(fresh, resumed, {.step = 0.125, .end = 2.0, .resume = true}, {});
  CHECK(result.steps == 8);
  CHECK(resumed.q == once.q);
  CHECK(resumed.v == once.v);
  CHECK(resumed.t == once.t);
}

}  // namespace run_tests
