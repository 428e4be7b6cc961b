// A whole time step of generalized_alpha on long chains: verified against exact Newton at 1e-13, then timed
// against the same stepper on the best library back end, in turns, in one run; and the memory of N = 1e5.
// Timed is the mean over the first K steps of a run, the minimum of it over R turns: what is done in some steps only
// (a second matrix, the looks at rows on their way to dependence and at the noise of multipliers) counts with its
// share. The fastest single step is printed next to it.
//
//     bench_steps [--bodies N] [--steps K] [--repetitions R] [--memory-bodies M]
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/math/parts/threads.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/problems/straight_box_chain.hpp>
#include <catena/solvers/generalized_alpha.hpp>

#include "../apps/start_environment.hpp"
#include "timed_scenario.hpp"

#include <sys/resource.h>

#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace catena;
using namespace catena::detail;

struct Counts {
  int bodies = 1000, steps = 50, repetitions = 20, memory_bodies = 100000;
};

using bench::TimedScenario;

Scenario chain(const std::string& problem, int n, const GeneralizedAlphaOptions& options = {}) {
  Scenario scenario{
      .problem = problem, .stepper = "generalized_alpha", .options = settings_of(options), .step = 1e-3};
  return scenario.set("n", n);
}

bool compare(const std::string& problem, const Counts& s) {
  GeneralizedAlphaOptions exact;
  exact.newton = GeneralizedAlphaOptions::Newton::exact;
  exact.engine.jacobian = JacobianUpdate::every_iteration;
  exact.engine.newton_tolerance = 1e-13;
  constexpr int verified_steps = 100;
  const State end = TimedScenario(chain(problem, s.bodies, exact), "ldl").run(verified_steps);
  std::vector<TimedScenario> runs;
  std::vector<double> errors;
  for (const char* backend : {"ldl", "klu_refactor", "cholmod", "eigen_lu"}) {
    TimedScenario& run = runs.emplace_back(chain(problem, s.bodies), backend);
    errors.push_back(bench::largest_difference(end, run.run(verified_steps)));
    run.forget_times();
  }
  for (int r = 0; r < s.repetitions; ++r)
    for (TimedScenario& run : runs) run.run(s.steps);
  bool good = true;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const TimedScenario& r = runs[k];
    const auto per_step = [&](long StepperStatistics::*which) {
      return static_cast<double>(r.statistics.*which) / static_cast<double>(r.statistics.steps);
    };
    const bool close = errors[k] <= 1e-8;
    good = good && close;
    std::printf("%-20s %6d %-12s %10.0f %8.2f %10.0f %8.2f %10.2f %12.1e%s\n", problem.c_str(), s.bodies,
                r.scenario.backend.c_str(), 1e9 * r.mean / s.bodies, r.mean / runs.front().mean,
                1e9 * r.cheapest / s.bodies, per_step(&StepperStatistics::newton_iterations),
                per_step(&StepperStatistics::factorizations), errors[k], close ? "" : "  NOT within 1e-8");
  }
  return good;
}

double peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

void memory(int n, int steps) {
  if (n <= 0) return;
  TimedScenario run(chain("helix_chain", n), "ldl");
  run.run(steps);
  std::printf("\nhelix_chain N = %d: peak memory of the process %.0f bytes a body, %.0f ns a step and body\n",
              n, peak_bytes() / n, 1e9 * run.mean / n);
}

}  // namespace

int main(int argc, char** argv) {
  start_with_environment(argv);
  Counts s;
  if (!bench::ready(argc, argv,
                    {{"--bodies", &s.bodies},
                     {"--steps", &s.steps},
                     {"--repetitions", &s.repetitions},
                     {"--memory-bodies", &s.memory_bodies}}))
    return 2;
  memory(s.memory_bodies, s.steps);  // first: the peak of the process is that of its largest part
  std::printf(
      "\nnewton tolerance 1e-10, h = 1e-3, one thread; mean of a turn's %d steps, minimum over %d turns\n",
      s.steps, s.repetitions);
  std::printf("%-20s %6s %-12s %10s %8s %10s %8s %10s %12s\n", "problem", "bodies", "back end", "ns/step/b",
              "ratio", "cheapest", "newton", "factorised", "vs 1e-13");
  const bool straight = compare("straight_box_chain", s), helix = compare("helix_chain", s);
  return straight && helix ? 0 : 1;
}
