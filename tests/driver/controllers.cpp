// Controllers sample at their instants, steps end there, and what they remember is part of the state.
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/model/parts/inertia.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/system/coordinate_system.hpp>

#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace controllers_tests {

using namespace catena;

namespace {

// A mass of 1 kg pushed by what a controller sets.
struct Cart {
  static constexpr int coordinates = 1, discrete = 1;
  template <class S>
  Mat<S, 1, 1> mass(const Vec<S, 1>&) const {
    return {{S(1.0)}};
  }
  template <class S>
  Vec<S, 1> force(const Vec<S, 1>&, const Vec<S, 1>&, const S&, const double* push) const {
    return {{S(push[0])}};
  }
};
const CoordinateSystem<Cart> cart(Cart{}, Vec<double, 1>{{1.0}}, Vec<double, 1>{{0.0}});

// u = -k x - d v - i sum(x) T, held until the next sample.
struct Pid : Controller {
  double T = 0.1, begin_at = 0.0;
  std::vector<double> instants, seen_acceleration;
  double period() const override { return T; }
  double first_sample() const override { return begin_at; }
  int memory_size() const override { return 1; }
  void begin(const System&, double* memory) override { memory[0] = 0.25; }
  void sample(const State& s, double* values, double* memory) override {
    instants.push_back(s.t);
    seen_acceleration.push_back(s.a[0]);
    memory[0] += T * s.q[0];
    values[0] = -4.0 * s.q[0] - 2.0 * s.v[0] - 0.5 * memory[0];
  }
};

// The exact motion: x'' = u between samples.
struct Exact {
  double x = 1.0, v = 0.0, sum = 0.25, u = 0.0;
  void sample(double T) {
    sum += T * x;
    u = -4.0 * x - 2.0 * v - 0.5 * sum;
  }
  void move(double h) {
    x += h * (v + 0.5 * h * u);
    v += h * u;
  }
};

DormandPrinceOptions fixed() { return {.control = DormandPrinceOptions::Control::fixed}; }

struct Steps : Observer {
  std::vector<double> t;
  std::vector<State> states;
  bool observe(const State& s) override {
    t.push_back(s.t);
    states.push_back(s);
    return true;
  }
};

}  // namespace

TEST_CASE("a sampled controller closes the loop exactly, in chosen and in equal steps") {
  Exact exact;
  for (int k = 0; k < 20; ++k) {
    exact.sample(0.1);
    exact.move(0.1);
  }
  const auto check = [&](Stepper& stepper, double step) {
    Pid pid;
    State state = cart.initial_state();
    Listeners listeners;
    listeners.controllers = {&pid};
    const RunResult result = run(cart, stepper, state, {.step = step, .end = 2.0}, listeners);
    CHECK(result.status == Status::ok);
    CHECK(result.samples == 21);  // at 0, 0.1, ..., 2
    REQUIRE(pid.instants.size() == 21);
    for (int k = 0; k <= 20; ++k)
      CHECK(std::abs(pid.instants[static_cast<std::size_t>(k)] - 0.1 * k) <= 1e-13);
    CHECK(std::abs(state.q[0] - exact.x) <= 1e-13);
    CHECK(std::abs(state.v[0] - exact.v) <= 1e-13);
    // Torque, number of samples, memory; the last sample is that at the end.
    Exact at_end = exact;
    at_end.sample(0.1);
    REQUIRE(state.discrete.size() == 3);
    CHECK(std::abs(state.discrete[0] - at_end.u) <= 1e-12);
    CHECK(state.discrete[1] == 21.0);
    CHECK(state.a[0] == state.discrete[0]);  // consistent with what was set last
  };
  DormandPrince chosen;
  check(chosen, 2.0);
  DormandPrince equal(fixed());
  check(equal, 0.02);  // five steps a sample
  check(equal, 0.1);   // one
  check(equal, 0.03);  // the grid of 67 steps and the samples meet nowhere
  check(equal, 0.5);   // steps of the grid are longer than the period
}

TEST_CASE("steps end at sample instants, and the instants of the grid stay where they are") {
  Pid pid;
  pid.T = 0.07;
  DormandPrince stepper(fixed());
  State state = cart.initial_state();
  Steps steps;
  struct Instants : Sink {
    std::vector<double> t;
    void accept(const State& s, const Outcome&) override { t.push_back(s.t); }
  } sink;
  Listeners listeners{{&sink}, {&steps}, nullptr, {}, {&pid}};
  const RunResult result = run(cart, stepper, state, {.step = 0.1, .end = 0.3}, listeners);
  CHECK(result.status == Status::ok);
  CHECK(sink.t == std::vector<double>{0.0, 0.1, 0.2, 0.3});
  REQUIRE(steps.t.size() == 8);
  const double expected[] = {0.0, 0.07, 0.1, 0.14, 0.2, 0.21, 0.28, 0.3};
  for (std::size_t k = 0; k < 8; ++k) CHECK(std::abs(steps.t[k] - expected[k]) <= 1e-15);
  CHECK(result.smallest_step == catena_test::relative(0.01, 1e-12));
  CHECK(result.largest_step == catena_test::relative(0.07, 1e-12));
}

TEST_CASE("the first sample may come later, and samples before the start of a run are passed over") {
  Pid pid;
  pid.begin_at = 0.35;
  DormandPrince stepper;
  State state = cart.initial_state();
  Listeners listeners;
  listeners.controllers = {&pid};
  run(cart, stepper, state, {.step = 1.0, .end = 0.5}, listeners);
  REQUIRE(pid.instants.size() == 2);
  CHECK(pid.instants[0] == 0.35);
  CHECK(pid.instants[1] == catena_test::relative(0.45, 1e-15));

  Pid late;
  state = cart.initial_state();
  state.t = 0.25;
  listeners.controllers = {&late};
  run(cart, stepper, state, {.step = 1.0, .end = 0.5}, listeners);
  REQUIRE(late.instants.size() == 3);
  CHECK(late.instants[0] == catena_test::relative(0.3, 1e-15));
}

TEST_CASE("a controller without a period samples at the start and after every accepted step") {
  Pid pid;
  pid.T = 0.0;
  DormandPrince stepper(fixed());
  State state = cart.initial_state();
  Listeners listeners;
  listeners.controllers = {&pid};
  const RunResult result = run(cart, stepper, state, {.step = 0.1, .end = 1.0}, listeners);
  CHECK(result.samples == 11);
  CHECK(pid.instants.size() == 11);
}

TEST_CASE("a copy of any state of a run continues to the same bits: stepper, controller and its memory") {
  const auto check = [](auto make) {
    Pid pid;
    Steps steps;
    State state = cart.initial_state();
    Listeners listeners;
    listeners.observers = {&steps};
    listeners.controllers = {&pid};
    auto stepper = make();
    run(cart, stepper, state, {.step = 0.05, .end = 2.0}, listeners);
    REQUIRE(steps.states.size() > 12);
    State copy = steps.states[steps.states.size() / 2];
    auto other = make();
    Pid fresh;
    Listeners resumed;
    resumed.controllers = {&fresh};
    const RunResult result = run(cart, other, copy, {.step = 0.05, .end = 2.0, .resume = true}, resumed);
    CHECK(result.status == Status::ok);
    CHECK(copy.t == state.t);
    CHECK(copy.q == state.q);
    CHECK(copy.v == state.v);
    CHECK(copy.a == state.a);
    CHECK(copy.discrete == state.discrete);
    CHECK(copy.memory == state.memory);
  };
  check([] { return DormandPrince(); });
  check([] { return DormandPrince(fixed()); });
}

TEST_CASE("a stepper with a memory restarts at samples") {
  Exact exact;
  for (int k = 0; k < 20; ++k) {
    exact.sample(0.1);
    exact.move(0.1);
  }
  Pid pid;
  State state = cart.initial_state();
  Listeners listeners;
  listeners.controllers = {&pid};
  GeneralizedAlpha stepper;
  const RunResult result = run(cart, stepper, state, {.step = 0.01, .end = 2.0}, listeners);
  CHECK(result.status == Status::ok);
  // Between samples the acceleration is constant, which the method integrates exactly; without the restart a
  // jump of a would leave errors of h / 2 times it, 1e-2.
  CHECK(std::abs(state.q[0] - exact.x) <= 1e-8);
  CHECK(std::abs(state.v[0] - exact.v) <= 1e-8);
}

TEST_CASE("a state with a wrong number of discrete values is refused with both numbers") {
  Pid pid;
  DormandPrince stepper;
  State state = cart.initial_state();
  state.discrete = {0.0, 1.0};
  Listeners listeners;
  listeners.controllers = {&pid};
  const RunResult result = run(cart, stepper, state, {.step = 1.0, .end = 0.5}, listeners);
  CHECK(result.status == Status::unsupported);
  CHECK(result.culprit.name.empty());
  CHECK(result.message == "the state has 2 discrete values, the system has 1 and with these controllers 3");
}

}  // namespace controllers_tests
