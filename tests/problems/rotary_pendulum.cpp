// The rotary pendulum: the digits of methods.md E, both kinds of coordinates, events, controllers.
#include "problems/rotary_pendulum_support.hpp"
#include "support/few_cases.hpp"

#include <numbers>
#include <optional>

namespace rotary_pendulum_tests {

using namespace catena::detail;

using namespace catena_test::rotary;

namespace {

// Runs to the end with a tolerance; checks that it got there.
State after(const System& system, double end, double tol, const Listeners& listeners = {}) {
  DormandPrince stepper(tolerance(tol));
  State state = system.initial_state();
  const RunResult result = run(system, stepper, state, {.step = end, .end = end}, listeners);
  CHECK(result.status == Status::ok);
  return state;
}

// Largest difference of positions, velocities and angular velocities of both bodies.
double distance(const System& a, const State& x, const System& b, const State& y) {
  const auto p = a.bodies(x), q = b.bodies(y);
  double d = 0.0;
  for (std::size_t k = 0; k < 2; ++k)
    d = std::max({d, norm(p[k].position - q[k].position), norm(p[k].velocity - q[k].velocity),
                  norm(p[k].angular_velocity - q[k].angular_velocity)});
  return d;
}

}  // namespace

TEST_CASE("both forms reach the reference states at t = 0.1, 0.5 and 10 s") {
  for (const auto coordinates : {minimal, maximal}) {
    const RotaryPendulum problem(parameters(coordinates));
    const auto system = make(parameters(coordinates));
    for (const Reference& known : problem.references()) {
      if (catena_test::few_cases && known.t > 1.0) continue;
      CAPTURE(known.t);
      // At tolerance 1e-13 until 10 s, 10 periods: 3e-11; before that the digits given.
      const double allowed = known.t > 1.0 ? 1e-10 : 2e-12;
      const State state = after(*system, known.t, 1e-13);
      for (std::size_t k = 0; k < known.value.size(); ++k) {
        const double got = known.quantity == "q"   ? state.q[k]
                           : known.quantity == "v" ? state.v[k]
                                                   : system->bodies(state)[1].position[static_cast<int>(k)];
        CHECK(std::abs(got - known.value[k]) <= allowed);
      }
    }
  }
}

TEST_CASE("minimal and maximal coordinates agree to 1e-9 over 10 s: free, swung up and balanced, sampled") {
  const auto compare = [](Parameters::Control control, bool sampled, double tol, double allowed) {
    const auto a = make(parameters(minimal, control)), b = make(parameters(maximal, control));
    Sampled on_a(*a), on_b(*b);
    Listeners with_a, with_b;
    if (sampled) {
      with_a.controllers = {&on_a};
      with_b.controllers = {&on_b};
    }
    const State x = after(*a, 10.0, tol, with_a), y = after(*b, 10.0, tol, with_b);
    CHECK(distance(*a, x, *b, y) <= allowed);
    return x;
  };
  compare(Parameters::Control::none, false, 1e-12, 1e-9);                                // measured: 2.6e-10
  if (!catena_test::few_cases) compare(Parameters::Control::none, false, 1e-13, 1e-10);  // measured: 2.7e-11
  const State balanced = compare(Parameters::Control::swing_up, false, 1e-12, 1e-9);     // 2e-13
  CHECK(std::abs(std::sin(balanced.q[1])) <= 1e-9);
  CHECK(std::cos(balanced.q[1]) > 0.0);
  CHECK(std::abs(balanced.v[1]) <= 1e-8);
  const State sampled = compare(Parameters::Control::none, true, 1e-12, 1e-9);  // 5e-14
  CHECK(std::abs(std::sin(sampled.q[1])) <= 1e-9);
  CHECK(std::cos(sampled.q[1]) > 0.0);
  // State::discrete: the torque, then the controller's number of samples and its memory.
  REQUIRE(sampled.discrete.size() == 3);
  CHECK(sampled.discrete[1] == 2001.0);  // at 0, 5 ms, ..., 10 s
  CHECK(sampled.discrete[2] <= SwingUpControl::torque_limit);
  CHECK(sampled.discrete[2] >= 0.5 * SwingUpControl::torque_limit);
}

TEST_CASE("the controller swings the pendulum up from near hanging as well") {
  Parameters p = parameters(minimal, Parameters::Control::swing_up);
  p.theta_1 = std::numbers::pi - 0.1;
  const auto system = make(p);
  const State state = after(*system, 10.0, 1e-9);
  CHECK(std::cos(state.q[1]) >= 1.0 - 1e-9);
}

TEST_CASE("started exactly upright it stays there, in both forms, free and controlled") {
  for (const auto coordinates : {minimal, maximal})
    for (const auto control : {Parameters::Control::none, Parameters::Control::swing_up}) {
      Parameters p = parameters(coordinates, control);
      p.theta_1 = 0.0;
      const auto system = make(p);
      const State state = after(*system, 10.0, 1e-10);
      const auto now = system->bodies(state), then = system->bodies(system->initial_state());
      CHECK(norm(now[1].position - then[1].position) <= 1e-14);
      CHECK(norm(now[1].velocity) <= 1e-14);
    }
}

TEST_CASE("the period is found as an event: 1.00120578078 s") {
  const auto system = make(parameters(minimal));
  DormandPrince stepper(tolerance(1e-13));
  State state = system->initial_state();
  Listeners listeners;
  listeners.events = {{.name = "theta_1 turns back",
                       .value = [](const State& s) { return s.v[1]; },
                       .direction = Event::Direction::rising,
                       .terminal = true}};
  const RunResult result = run(*system, stepper, state, {.step = 0.1, .end = 2.0}, listeners);
  CHECK(result.status == Status::event);
  REQUIRE(result.events.size() == 1);
  CHECK(std::abs(result.events[0].t - 1.00120578078) <= 1e-11);
  CHECK(state.t == result.events[0].t);
  // A period later everything is as it was.
  CHECK(std::abs(state.q[0]) <= 1e-11);
  CHECK(std::abs(state.v[0]) <= 1e-10);
  CHECK(std::abs(state.q[1] - 0.5 * std::numbers::pi) <= 1e-11);
}

TEST_CASE("energy and the angular momentum about the vertical are kept at 0") {
  struct Watch : Observer {
    const System* system = nullptr;
    double energy = 0.0, momentum = 0.0;
    void begin(const System& s) override { system = &s; }
    bool observe(const State& s) override {
      std::vector<double> p(2);
      system->momentum(s.q.data(), s.v.data(), p.data());
      energy = std::max(energy, std::abs(system->energy(point_of(s)).total()));
      momentum = std::max(momentum, std::abs(p[0]));
      return true;
    }
  } watch;
  const auto system = make(parameters(minimal));
  Listeners listeners;
  listeners.observers = {&watch};
  after(*system, 10.0, 1e-12, listeners);
  // The scale of the energy is m1 g l1 = 0.19 J.
  CHECK(watch.energy <= 1e-11);
  CHECK(watch.momentum <= 1e-12);
}

TEST_CASE("an observer that watches a Lyapunov function stops the run when the pendulum is caught") {
  struct Caught : Observer {
    double value = 1.0;
    bool observe(const State& s) override {
      value = 1.0 - std::cos(s.q[1]) + 1e-2 * s.v[1] * s.v[1] + 1e-2 * s.v[0] * s.v[0];
      return value > 1e-6;
    }
  } caught;
  const auto system = make(parameters(minimal, Parameters::Control::swing_up));
  DormandPrince stepper(tolerance(1e-8));
  State state = system->initial_state();
  Listeners listeners;
  listeners.observers = {&caught};
  const RunResult result = run(*system, stepper, state, {.step = 1e-2, .end = 20.0}, listeners);
  CHECK(result.status == Status::stopped);
  CHECK(caught.value <= 1e-6);
  CHECK(result.t_end < 6.0);
}

}  // namespace rotary_pendulum_tests
