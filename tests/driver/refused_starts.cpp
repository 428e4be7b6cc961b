// States, controllers and events that a run cannot go by: refused at its start, or named where they are lost.
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/problems/rod_chain.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/system/coordinate_system.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace refused_starts_tests {

using namespace catena;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

MultibodySystem chain(int n) {
  RodChainParameters parameters;
  parameters.n = n;
  return MultibodySystem(RodChain(parameters).model());
}

MultibodySystem thrown_body() {
  Model model;
  model.gravity = {{0.0, 0.0, -10.0}};
  model.add(Body{.name = "stone",
                 .mass = 2.0,
                 .inertia = 0.1 * Mat3::Identity(),
                 .position = {{0.0, 0.0, 1.0}},
                 .angular_velocity = {{0.3, 0.0, 0.1}}});
  return MultibodySystem(model);
}

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
const CoordinateSystem<Cart> cart(Cart{});

struct Pusher : Controller {
  double T = 0.1, first = 0.0, lost_at = 1e9;
  std::string name() const override { return "pusher"; }
  double period() const override { return T; }
  double first_sample() const override { return first; }
  void sample(const State& s, double* values, double*) override { values[0] = s.t >= lost_at ? nan : 1.0; }
};

struct Count : Sink {
  int begun = 0;
  void begin(const System&) override { ++begun; }
  void accept(const State&, const Outcome&) override {}
};

RunResult tried(const System& system, State state, const Listeners& listeners = {}) {
  GeneralizedAlpha stepper;
  return run(system, stepper, state, {.step = 0.01, .end = 0.05}, listeners);
}

}  // namespace

TEST_CASE("a state of another system is refused by its sizes, in a run and by a stepper alone") {
  const MultibodySystem system = chain(3);
  const State larger = chain(5).initial_state(), smaller = chain(1).initial_state();
  for (const State& wrong : {State{}, larger, smaller}) {
    Count sink;
    const RunResult result = tried(system, wrong, {.sinks = {&sink}});
    CHECK(result.status == Status::unsupported);
    CHECK(result.message == "the state has " + std::to_string(wrong.q.size()) + " coordinates, the system " +
                                std::to_string(system.layout().q_size) +
                                ": it belongs to another system; begin with initial_state() of this one");
    CHECK(sink.begun == 0);
    GeneralizedAlpha stepper;
    REQUIRE(stepper.attach(system).status == Status::ok);
    State state = wrong;
    CHECK(stepper.start(state, 0.01).status == Status::unsupported);
    CHECK(stepper.restart(state, 0.01).status == Status::unsupported);
    CHECK(state.q == wrong.q);
  }
  for (std::vector<double> State::*const part : {&State::v, &State::a, &State::lambda}) {
    State state = system.initial_state();
    (state.*part).pop_back();
    CHECK(tried(system, state).status == Status::unsupported);
  }
  State state = cart.initial_state();
  state.discrete.clear();
  CHECK(tried(cart, state).message.starts_with("the state has 0 discrete values, the system 1"));
}

TEST_CASE("a quaternion off unit length is refused as a model refuses it, and normalised within 1e-6") {
  const MultibodySystem system = thrown_body();
  const auto scaled = [&](double factor) {
    State state = system.initial_state();
    for (std::size_t k = 3; k < 7; ++k) state.q[k] *= factor;
    return state;
  };
  for (const double factor : {0.0, 1.5, 1.0 + 2e-6, nan}) {
    CAPTURE(factor);
    const RunResult result = tried(system, scaled(factor));
    CHECK(result.status == Status::unsupported);
    CHECK(result.message.starts_with("body \"stone\": orientation must be a unit quaternion to 1e-6"));
  }
  CHECK(tried(system, scaled(1.5)).message.ends_with("has length 1.5 in the state"));
  DormandPrince stepper;
  State off = scaled(1.0 + 9e-7), right = system.initial_state();
  CHECK(run(system, stepper, off, {.step = 0.1, .end = 0.1}).status == Status::ok);
  CHECK(run(system, stepper, right, {.step = 0.1, .end = 0.1}).status == Status::ok);
  for (std::size_t k = 0; k < right.q.size(); ++k) CHECK(std::abs(off.q[k] - right.q[k]) <= 1e-15);
}

TEST_CASE("listeners that are null pointers are refused") {
  const auto message = [](const Listeners& listeners) {
    return tried(cart, cart.initial_state(), listeners).message;
  };
  CHECK(message({.controllers = {nullptr}}) == "Listeners::controllers of the run holds a null pointer");
  CHECK(message({.observers = {nullptr}}) == "Listeners::observers of the run holds a null pointer");
  CHECK(message({.sinks = {nullptr}}) == "Listeners::sinks of the run holds a null pointer");
}

TEST_CASE("a run cannot end before it begins") {
  GeneralizedAlpha stepper;
  State state = cart.initial_state();
  state.t = 5.0;
  CHECK_THROWS_WITH_AS(run(cart, stepper, state, {.step = 0.1, .end = 1.0}),
                       "a run to t = 1 s cannot begin at t = 5 s, which lies behind that end",
                       std::invalid_argument);
  CHECK(run(cart, stepper, state, {.step = 0.1, .end = 5.0}).status == Status::ok);
}

TEST_CASE("a controller whose period is negative or no number is refused by its name") {
  for (const double period : {-0.1, nan, infinity}) {
    Pusher pusher;
    pusher.T = period;
    const RunResult result = tried(cart, cart.initial_state(), {.controllers = {&pusher}});
    CHECK(result.status == Status::unsupported);
    CHECK(result.message.starts_with("controller \"pusher\": its period() must be positive, or 0 for"));
    CHECK(result.samples == 0);
  }
  Pusher pusher;
  pusher.first = nan;
  CHECK(tried(cart, cart.initial_state(), {.controllers = {&pusher}}).status == Status::unsupported);
  pusher.first = infinity;  // never
  CHECK(tried(cart, cart.initial_state(), {.controllers = {&pusher}}).samples == 0);
}

TEST_CASE("a controller that sets a value which is no number ends the run with its name") {
  for (const double lost_at : {0.0, 0.2}) {
    Pusher pusher;
    pusher.lost_at = lost_at;
    State state = cart.initial_state();
    DormandPrince stepper;
    const RunResult result = run(cart, stepper, state, {.step = 0.1, .end = 1.0}, {.controllers = {&pusher}});
    CHECK(result.status == Status::not_finite);
    CHECK(result.culprit.name == "controller \"pusher\"");
    CHECK(std::isfinite(state.discrete[0]));
    // Before the step that ends where the sample is taken.
    CHECK(std::abs(state.t - (lost_at > 0.0 ? lost_at - 0.1 : 0.0)) <= 1e-12);
  }
}

TEST_CASE("an event whose value becomes NaN ends the run with its name") {
  const MultibodySystem system = thrown_body();
  // The stone is at the ground at sqrt(2 / 10) s.
  const Event floor{
      .name = "floor", .value = [](const State& s) { return std::sqrt(s.q[2]); }, .terminal = true};
  const Event never{.name = "never", .value = [](const State&) { return nan; }};
  const auto look = [&](Stepper& stepper) {
    State state = system.initial_state();
    const RunResult result = run(system, stepper, state, {.step = 0.01, .end = 1.0}, {.events = {floor}});
    CHECK(result.status == Status::not_finite);
    CHECK(result.culprit.name == "event \"floor\"");
    CHECK(to_text(result).find("event \"floor\": its value is not a number at t = 0.4") != std::string::npos);
    State other = system.initial_state();
    const RunResult lost = run(system, stepper, other, {.step = 0.01, .end = 1.0}, {.events = {never}});
    CHECK(lost.status == Status::not_finite);
    CHECK(lost.culprit.name == "event \"never\"");
    CHECK(other.t == 0.0);
  };
  GeneralizedAlpha equal;
  DormandPrince chosen(DormandPrinceOptions{.max_step = 0.01});
  look(equal);
  look(chosen);
}

}  // namespace refused_starts_tests
