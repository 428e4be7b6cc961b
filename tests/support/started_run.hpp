// A started stepper on a system, for tests that step by hand, and coordinates that can be compared.
#pragma once
#include <catena/stepper/stepper.hpp>

#include "support/residual.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <utility>
#include <vector>

namespace catena_test {

template <class Stepper, class Options>
struct StartedRun {
  StartedRun(const catena::System& s, double step, Options options = {})
      : StartedRun(s, step, s.initial_state(), options) {}
  StartedRun(const catena::System& s, double step, catena::State initial, Options options = {},
             catena::LinearSolverFactory backend = {}, catena::LinearSolverFactory fallback = {})
      : system(s),
        h(step),
        stepper(options, std::move(backend), std::move(fallback)),
        state(std::move(initial)) {
    REQUIRE(stepper.attach(system).status == catena::Status::ok);
    start = stepper.start(state, h);
    REQUIRE(start.status == catena::Status::ok);
  }
  void step() { step(h); }
  void step(double size) {
    const catena::Outcome outcome = stepper.step(state, size);
    REQUIRE_MESSAGE(outcome.status == catena::Status::ok, to_string(outcome.status), ": ",
                    outcome.culprit.name, " ", outcome.culprit.quantity, " ", outcome.culprit.value);
  }
  void steps(int count) {
    for (int k = 0; k < count; ++k) step();
  }
  void until(double end) { steps(static_cast<int>(std::lround((end - state.t) / h))); }

  double energy() const { return system.energy(point_of(state)).total(); }
  // Largest entry of a residual of every row, or of the force balance.
  double residual(double* catena::Evaluation::*which) const {
    return catena_test::residual(system, state, which);
  }
  double iterations_per_step() const {
    const catena::StepperStatistics& s = stepper.statistics();
    return static_cast<double>(s.newton_iterations) / static_cast<double>(s.steps);
  }

  const catena::System& system;
  double h;  // [s]
  Stepper stepper;
  catena::State state;
  catena::Outcome start;
};

// Positions and quaternions of the bodies, without the low parts that a state keeps of positions; the coordinates of a
// system without bodies.
inline std::vector<double> coordinates(const catena::System& system, const catena::State& s) {
  std::vector<double> q;
  for (const catena::RigidBodyState& b : system.bodies(s)) {
    q.insert(q.end(), b.position.e, b.position.e + 3);
    for (const double x : {b.orientation.w, b.orientation.x, b.orientation.y, b.orientation.z})
      q.push_back(x);
  }
  return q.empty() ? s.q : q;
}

}  // namespace catena_test
