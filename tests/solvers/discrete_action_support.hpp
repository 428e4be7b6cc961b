// Runs of discrete_action for its tests.
#pragma once
#include <catena/assembly/quaternion_system.hpp>
#include <catena/solvers/discrete_action.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace catena_test {

using namespace catena;

inline double largest(const std::vector<double>& x) {
  double m = 0.0;
  for (double value : x) m = std::max(m, std::abs(value));
  return m;
}
inline double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double m = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) m = std::max(m, std::abs(a[k] - b[k]));
  return m;
}

// A system, a started state and the stepper between them.
struct Run {
  Run(const System& s, double step, DiscreteActionOptions options = {}) : Run(s, step, s.initial_state(), options) {}
  Run(const System& s, double step, State initial, DiscreteActionOptions options = {})
      : system(s), h(step), stepper(options), state(std::move(initial)) {
    REQUIRE(stepper.attach(system).status == Status::ok);
    start = stepper.start(state, h);
    REQUIRE(start.status == Status::ok);
  }
  void step() { REQUIRE(stepper.step(state, h).status == Status::ok); }
  void steps(int count) {
    for (int k = 0; k < count; ++k) step();
  }
  void until(double end) { steps(static_cast<int>(std::lround(end / h))); }

  double energy() const { return system.energy(state.t, state.q.data(), state.v.data()).total(); }
  // Residuals of every row: position, velocity, acceleration, and the force balance.
  std::vector<double> residual(double* Evaluation::*which) const {
    const bool force = which == &Evaluation::balance;
    std::vector<double> out(force ? state.v.size() : state.lambda.size());
    Point at;
    at.t = state.t;
    at.q = state.q.data();
    at.v = state.v.data();
    at.a = state.a.data();
    at.lambda = state.lambda.data();
    Evaluation wanted;
    wanted.*which = out.data();
    system.evaluate(at, wanted);
    return out;
  }

  const System& system;
  double h;
  DiscreteAction stepper;
  State state;
  Outcome start;
};

// Total angular momentum about the origin and linear momentum, world frame.
struct Momentum {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
};
inline Momentum momentum(const QuaternionSystem& system, const State& state) {
  Momentum total;
  const auto bodies = system.bodies(state);
  for (int k = 0; k < static_cast<int>(bodies.size()); ++k) {
    const RigidBodyState& b = bodies[static_cast<std::size_t>(k)];
    const Body& body = system.model().body(BodyId{k});
    const Vec3 p = body.mass * b.velocity;
    total.linear += p;
    total.angular += cross(b.position, p) + rotation_matrix(b.orientation) * (body.inertia * b.angular_velocity);
  }
  return total;
}

}  // namespace catena_test
