// A scenario that is run again and again for its times.
#pragma once
#include <catena/builtin/builtin.hpp>
#include <catena/experiment/experiment.hpp>

#include "machine.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace catena::bench {

// The driver times Stepper::step() alone; the run ends the program where it fails.
struct TimedScenario {
  Scenario scenario;
  double mean = 1e300, cheapest = 1e300;  // seconds a step: least mean of a run, least of all steps
  StepperStatistics statistics = {};      // of the last run

  TimedScenario(Scenario what, const std::string& backend) : scenario(std::move(what)) {
    scenario.backend = backend;
    scenario.max_cuts = 0;
  }
  // From the initial state; returns the last one.
  State run(int steps) {
    static const Catalog catalog = builtin();
    scenario.end = *scenario.step * steps;
    Record record = catena::run(scenario, catalog);
    const RunResult& result = record.report.run;
    end_unless_ok(result);
    mean = std::min(mean, result.seconds_stepping / steps);
    cheapest = std::min(cheapest, result.seconds_fastest_step);
    statistics = record.report.statistics;
    return std::move(record.state);
  }
  void forget_times() { mean = cheapest = 1e300; }
};

// Largest distance of two states of bodies in six velocities: of positions [m], of quaternions.
inline double largest_difference(const State& a, const State& b) {
  double largest = 0.0;
  for (std::size_t k = 0; k < a.q.size(); ++k) largest = std::max(largest, std::abs(a.q[k] - b.q[k]));
  return largest;
}

}  // namespace catena::bench
