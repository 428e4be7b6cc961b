// Runs of alpha_rattle for its tests.
#pragma once
#include <catena/assembly/multibody_system.hpp>
#include <catena/kkt/consistent.hpp>
#include <catena/solvers/alpha_rattle.hpp>

#include "support/residual.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace catena_test::rattle {

using namespace catena;
using Options = AlphaRattleOptions;
using Vector = std::vector<double>;

using catena_test::distance;
using catena_test::largest;

// A system, a started state and the stepper between them.
struct Run {
  Run(const System& s, double step, const Options& options = {}) : system(s), h(step), stepper(options) {
    state = s.initial_state();
    REQUIRE(stepper.attach(system).status == Status::ok);
    start = stepper.start(state, h);
    REQUIRE(start.status == Status::ok);
  }
  void step() { step(h); }
  void step(double size) {
    const Outcome outcome = stepper.step(state, size);
    REQUIRE_MESSAGE(outcome.status == Status::ok, to_string(outcome.status), ": ", outcome.culprit.name, " ",
                    outcome.culprit.quantity, " ", outcome.culprit.value);
  }
  void steps(int count) {
    for (int k = 0; k < count; ++k) step();
  }
  void until(double end) { steps(static_cast<int>(std::lround((end - state.t) / h))); }
  double energy() const { return system.energy(state.t, state.q.data(), state.v.data()).total(); }
  double residual(double* Evaluation::*which) const { return catena_test::residual(system, state, which); }

  const System& system;
  double h;
  AlphaRattle stepper;
  State state;
  Outcome start;
};

// Coordinates that can be compared: those of bodies without the low parts of their positions.
inline Vector coordinates(const System& system, const State& s) {
  const std::vector<RigidBodyState> bodies = system.bodies(s);
  if (bodies.empty() || dynamic_cast<const MultibodySystem*>(&system) == nullptr) return s.q;
  Vector q;
  for (const RigidBodyState& b : bodies) {
    q.insert(q.end(), b.position.e, b.position.e + 3);
    for (const double x : {b.orientation.w, b.orientation.x, b.orientation.y, b.orientation.z})
      q.push_back(x);
  }
  return q;
}

// v' and lambda of the index-1 system at the state's t, q, v.
inline void index_1(const System& system, const State& s, Vector& a, Vector& lambda) {
  KktSolver kkt;
  REQUIRE(kkt.attach(system, {}).empty());
  a.resize(s.v.size());
  lambda.resize(s.lambda.size());
  ConsistentValues consistent(system, kkt, s.discrete.data());
  REQUIRE(consistent.accelerations(s.t, s.q.data(), s.v.data(), a.data(), lambda.data()).status ==
          Status::ok);
}

}  // namespace catena_test::rattle
