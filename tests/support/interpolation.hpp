// How well a stepper interpolates within a step.
#pragma once
#include <catena/stepper/stepper.hpp>

#include "support/started_run.hpp"

#include <vector>

namespace catena_test {

// Largest differences of q and v at the beginning and at the end of a step from the states there, and in its middle from 32
// steps of h / 64.
struct InterpolationError {
  struct At {
    double q, v;
  };
  At begin, middle, end;
  double speed;  // largest component of v at the end
};

// Of the first step of size h of a run of one body.
template <class Run, class Options>
InterpolationError interpolation_error(const catena::System& system, double h, const Options& options) {
  Run run(system, h, options), exact(system, h / 64.0, options);
  const catena::State before = run.state;
  run.step();
  exact.steps(32);
  std::vector<double> q(run.state.q.size()), v(run.state.v.size());
  const auto error = [&](double theta, const catena::State& state) {
    run.stepper.interpolate(theta, q.data(), v.data());
    if (theta == 0.5) q.resize(7);  // without the low parts, which no interpolant has
    return InterpolationError::At{distance(q, state.q), distance(v, state.v)};
  };
  const InterpolationError::At begin = error(0.0, before), end = error(1.0, run.state);
  return {begin, error(0.5, exact.state), end, largest(run.state.v)};
}

}  // namespace catena_test
