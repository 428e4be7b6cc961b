#include <catena/driver/run.hpp>

#include "support/toy.hpp"

#include <doctest/doctest.h>

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
  return run(system, stepper, state, options, listeners);
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
  CHECK(state.t == doctest::Approx(0.5 + 5 * 0.1 / 1024).epsilon(1e-14));
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

TEST_CASE("the stop flag interrupts the run cleanly") {
  ToyStepper stepper;
  std::atomic<bool> stop = false;
  stepper.fails = [&](double t, double) {
    if (t > 0.55) stop = true;
    return Status::ok;
  };
  State state;
  Recorder recorder;
  const RunResult result = run_toy(stepper, state, {.step = 0.1, .end = 1.0}, {{&recorder}, {}, &stop});
  CHECK(result.status == Status::stopped);
  CHECK(result.interrupted);
  CHECK(recorder.t.back() == state.t);
  CHECK(recorder.ended == 1);
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
