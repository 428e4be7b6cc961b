// Events: located to roundoff of t, in both kinds of steps.
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/problems/simple_pendulum.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/system/coordinate_system.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace catena;

namespace {

// q'' = -q: q = sin t from q = 0, v = 1.
struct Oscillator {
  static constexpr int coordinates = 1;
  template <class S>
  Mat<S, 1, 1> mass(const Vec<S, 1>&) const {
    return {{S(1.0)}};
  }
  template <class S>
  Vec<S, 1> force(const Vec<S, 1>& q, const Vec<S, 1>&, const S&) const {
    return {{-q[0]}};
  }
};
const CoordinateSystem<Oscillator> oscillator(Oscillator{}, Vec<double, 1>{{0.0}}, Vec<double, 1>{{1.0}});

constexpr double pi = std::numbers::pi;

DormandPrinceOptions tight() {
  DormandPrinceOptions o;
  o.rtol_position = o.atol_position = o.rtol_velocity = o.atol_velocity = 1e-13;
  return o;
}
double coordinate(const State& s) { return s.q[0]; }

struct EventObserver : Observer {
  std::vector<double> t, seen;
  double stop_at = 1e300;
  bool observe(const State& s) override {
    seen.push_back(s.t);
    return true;
  }
  bool event(const EventRecord& e, const State&) override {
    t.push_back(e.t);
    return e.t < stop_at;
  }
};
struct EventSink : Sink {
  std::vector<double> order;
  int events = 0;
  void accept(const State& s, const Outcome&) override { order.push_back(s.t); }
  void event(const EventRecord& e, const State& s) override {
    CHECK(e.t == s.t);
    ++events;
    order.push_back(s.t);
  }
};

}  // namespace

TEST_CASE("every root is found, with its direction, and reported in the order of time among the outputs") {
  DormandPrince stepper(tight());
  State state = oscillator.initial_state();
  EventSink sink;
  EventObserver observer;
  Listeners listeners{{&sink}, {&observer}, nullptr, {{.name = "zero", .value = coordinate}}, {}};
  const RunResult result = run(oscillator, stepper, state, {.step = 0.5, .end = 10.0}, listeners);
  CHECK(result.status == Status::ok);
  // The start is a root, but no crossing.
  REQUIRE(result.events.size() == 3);
  for (int k = 0; k < 3; ++k) {
    const EventRecord& e = result.events[static_cast<std::size_t>(k)];
    CHECK(std::abs(e.t - (k + 1) * pi) <= 1e-11);  // the error of the trajectory; the root is found to 1e-15
    CHECK(e.rising == (k % 2 == 1));
    CHECK(e.name == "zero");
  }
  CHECK(sink.events == 3);
  CHECK(observer.t.size() == 3);
  CHECK(sink.order.size() == 21 + 3);
  for (std::size_t k = 1; k < sink.order.size(); ++k) CHECK(sink.order[k] > sink.order[k - 1]);
  CHECK(result.instants == 20);
}

TEST_CASE("two roots between two of the instants at which signs are compared are found") {
  for (const double level : {0.999, -0.999}) {
    CAPTURE(level);
    const double first = std::asin(0.999) + (level < 0.0 ? pi : 0.0), second = first + 2.0 * std::acos(0.999);
    for (const double step : {0.7, 1.0}) {
      CAPTURE(step);
      DormandPrince stepper({.control = DormandPrinceOptions::Control::fixed});
      State state = oscillator.initial_state();
      Listeners listeners;
      listeners.events = {{.name = "over", .value = [=](const State& s) { return s.q[0] - level; }},
                          {.name = "never", .value = [](const State& s) { return s.q[0] - 1.001; }}};
      const RunResult result = run(oscillator, stepper, state, {.step = step, .end = 7.0 * step}, listeners);
      REQUIRE(result.events.size() >= 2);
      CHECK(std::abs(result.events[0].t - first) <= 0.01);  // the error of steps as long as these
      CHECK(std::abs(result.events[1].t - second) <= 0.01);
      CHECK(result.events[0].rising == (level > 0.0));
      CHECK(result.events[1].rising == (level < 0.0));
    }
  }
}

TEST_CASE("directions are held apart, several events of one step come in order") {
  DormandPrince stepper(tight());
  State state = oscillator.initial_state();
  Listeners listeners;
  listeners.events = {
      {.name = "rises", .value = coordinate, .direction = Event::Direction::rising},
      {.name = "falls", .value = coordinate, .direction = Event::Direction::falling},
      {.name = "late", .value = [](const State& s) { return s.t - 1.2345; }},
      {.name = "early", .value = [](const State& s) { return s.t - 1.2344; }},
  };
  const RunResult result = run(oscillator, stepper, state, {.step = 7.0, .end = 7.0}, listeners);
  REQUIRE(result.events.size() == 4);
  CHECK(result.events[0].name == "early");
  CHECK(result.events[1].name == "late");
  // Found to roundoff of t.
  CHECK(std::abs(result.events[0].t - 1.2344) <= 4e-16);
  CHECK(std::abs(result.events[1].t - 1.2345) <= 4e-16);
  CHECK(result.events[2].name == "falls");
  CHECK(result.events[3].name == "rises");
}

TEST_CASE("a terminal event ends the run in the state of the event, from which it continues") {
  DormandPrince stepper(tight());
  State state = oscillator.initial_state();
  EventSink sink;
  Listeners listeners;
  listeners.sinks = {&sink};
  listeners.events = {{.name = "zero", .value = coordinate, .terminal = true}};
  RunResult result = run(oscillator, stepper, state, {.step = 0.25, .end = 10.0}, listeners);
  CHECK(result.status == Status::event);
  CHECK(result.message == "event \"zero\"");
  CHECK(result.t_end == state.t);
  CHECK(state.t == result.events[0].t);
  CHECK(std::abs(state.t - pi) <= 1e-11);
  CHECK(std::abs(state.q[0]) <= 4e-15);  // a few units in the last place of t = pi
  CHECK(std::abs(state.v[0] + 1.0) <= 1e-11);
  CHECK(std::abs(state.a[0]) <= 4e-15);  // -q
  CHECK(sink.order.back() == state.t);
  CHECK(sink.events == 1);
  CHECK(result.instants == 12);  // up to 3 s

  result = run(oscillator, stepper, state, {.step = 0.25, .end = 10.0}, listeners);
  CHECK(result.status == Status::event);
  CHECK(std::abs(state.t - 2.0 * pi) <= 1e-11);
}

TEST_CASE("an observer may end the run at an event that is not terminal") {
  DormandPrince stepper(tight());
  State state = oscillator.initial_state();
  EventObserver observer;
  observer.stop_at = 4.0;
  Listeners listeners;
  listeners.observers = {&observer};
  listeners.events = {{.name = "zero", .value = coordinate}};
  const RunResult result = run(oscillator, stepper, state, {.step = 0.25, .end = 10.0}, listeners);
  CHECK(result.status == Status::stopped);
  CHECK(std::abs(state.t - 2.0 * pi) <= 1e-11);
  CHECK(observer.seen.back() == state.t);
}

TEST_CASE("events are found in the steps of a grid as well, on bodies, in states that hold the constraints") {
  const MultibodySystem pendulum(SimplePendulum().model());
  // Its lowest point: the centre of mass is below the pivot.
  const auto lowest = [](const State& s) { return s.q[0]; };
  struct Residual : Observer {
    const System* system = nullptr;
    double position = 0.0, velocity = 0.0, t = 0.0;
    void begin(const System& s) override { system = &s; }
    bool observe(const State&) override { return true; }
    bool event(const EventRecord&, const State& s) override {
      std::vector<double> g(s.lambda.size()), rate(g.size());
      Point at;
      at.t = s.t;
      at.q = s.q.data();
      at.v = s.v.data();
      Evaluation wanted;
      wanted.position = g.data();
      wanted.velocity = rate.data();
      system->evaluate(at, wanted);
      for (const double r : g) position = std::max(position, std::abs(r));
      for (const double r : rate) velocity = std::max(velocity, std::abs(r));
      t = s.t;
      return true;
    }
  };
  const auto first = [&](Stepper& stepper) {
    Residual residual;
    State state = pendulum.initial_state();
    Listeners listeners;
    listeners.observers = {&residual};
    listeners.events = {{.name = "lowest", .value = lowest, .direction = Event::Direction::rising}};
    const RunResult result = run(pendulum, stepper, state, {.step = 1e-3, .end = 1.0}, listeners);
    CHECK(result.status == Status::ok);
    REQUIRE(result.events.size() == 1);
    CHECK(residual.position <= 1e-14);
    CHECK(residual.velocity <= 1e-13);
    return result.events[0].t;
  };
  GeneralizedAlpha alpha(GeneralizedAlphaOptions{.rho_inf = 0.9});
  DormandPrince explicit_steps(tight());
  const double exact = first(explicit_steps);
  CHECK(std::abs(first(alpha) - exact) <= 1e-5);  // order 2 at h = 1e-3
  // A quarter of the period from the horizontal: K(1/2) / sqrt(g).
  CHECK(std::abs(exact - 1.85407467730137 / std::sqrt(9.81)) <= 1e-11);
}

TEST_CASE("a value that becomes zero and stays there is an event, once, from either side") {
  for (const double sign : {1.0, -1.0}) {
    DormandPrince stepper(tight());
    State state = oscillator.initial_state();
    Listeners listeners;
    listeners.events = {
        {.name = "used up", .value = [sign](const State& s) { return sign * std::max(0.0, 0.7 - s.t); }}};
    const RunResult result = run(oscillator, stepper, state, {.step = 0.5, .end = 2.0}, listeners);
    REQUIRE(result.events.size() == 1);
    CHECK(result.events[0].t >= 0.7);  // where it is zero; the search ends at any zero that it meets
    CHECK(result.events[0].t < 0.75);
    CHECK(result.events[0].rising == (sign < 0.0));
  }
}
