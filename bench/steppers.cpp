// A whole time step of lie_dae (order 1, index 3) and of dormand_prince with fixed steps on straight_box_chain: the end
// verified against another back end, then timed on the own one and on library back ends, in turns, in one run.
//
//     bench_steppers [--bodies N] [--steps K] [--repetitions R]
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/math/parts/threads.hpp>
#include <catena/problems/straight_box_chain.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/lie_dae.hpp>
#include <catena/sparse/backends/backends.hpp>

#include "timed_scenario.hpp"

#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace catena;
using namespace catena::detail;

struct Counts {
  int bodies = 1000, steps = 10, repetitions = 20;
};

using bench::TimedScenario;

// what: the stepper and its options, as printed.
bool compare(const char* what, const Scenario& scenario, const Counts& s, double at_most) {
  std::vector<TimedScenario> runs;
  for (const char* backend : {"ldl", "klu_refactor", "cholmod", "eigen_lu"})
    runs.emplace_back(scenario, backend);
  for (int r = 0; r < s.repetitions; ++r)
    for (TimedScenario& run : runs) run.run(s.steps);
  constexpr int verified_steps = 50;
  const State end = runs[1].run(verified_steps);
  bool good = true;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const double error = bench::largest_difference(end, runs[k].run(verified_steps));
    const double nanoseconds = 1e9 * runs[k].cheapest / s.bodies;
    const bool fast = k > 0 || at_most <= 0.0 || nanoseconds <= at_most;
    good = good && error <= 1e-8 && fast;
    std::printf("%-26s %6d %-12s %10.0f %8.2f %12.1e%s%s\n", what, s.bodies, runs[k].scenario.backend.c_str(),
                nanoseconds, runs[k].cheapest / runs.front().cheapest, error,
                error <= 1e-8 ? "" : "  NOT within 1e-8", fast ? "" : "  MORE than wanted");
  }
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  Counts s;
  if (!bench::ready(argc, argv,
                    {{"--bodies", &s.bodies}, {"--steps", &s.steps}, {"--repetitions", &s.repetitions}}))
    return 2;
  std::printf("straight_box_chain, h = 1e-3, one thread, minimum of one step over %d turns of %d steps\n",
              s.repetitions, s.steps);
  std::printf("%-26s %6s %-12s %10s %8s %12s\n", "stepper", "bodies", "back end", "ns/step/b", "ratio",
              "vs klu");
  Scenario lie_dae{.problem = "straight_box_chain", .stepper = "lie_dae", .step = 1e-3};
  lie_dae.set("n", s.bodies).option("order", 1);
  Scenario dormand_prince{.problem = "straight_box_chain", .stepper = "dormand_prince", .step = 1e-3};
  dormand_prince.set("n", s.bodies).option("control", "fixed");
  constexpr double wanted = 1500.0;  // [ns] of lie_dae, order 1 and index 3, at N = 1000
  const bool implicit = compare("lie_dae (order = 1)", lie_dae, s, wanted);
  const bool explicitly = compare("dormand_prince (fixed)", dormand_prince, s, 0.0);
  return implicit && explicitly ? 0 : 1;
}
