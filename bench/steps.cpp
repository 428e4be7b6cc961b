// A whole time step of generalized_alpha on long chains: verified against exact Newton at 1e-13, then timed
// against the same stepper on the best library back end, in turns, in one run; and the memory of N = 1e5.
// Timed is the mean over the first K steps of a run, the minimum of it over R turns: what is done in some steps only
// (a second matrix, the looks at rows on their way to dependence and at the noise of multipliers) counts with its
// share. The fastest single step is printed next to it.
//
//     bench_steps [--bodies N] [--steps K] [--repetitions R] [--memory-bodies M]
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/math/parallel.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/problems/straight_box_chain.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/sparse/backends/backends.hpp>

#include "machine.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace catena;

struct Settings {
  int bodies = 1000, steps = 50, repetitions = 20, memory_bodies = 100000;
};

constexpr double h = 1e-3;

Model chain(bool helix, int n) {
  if (helix) {
    HelixChainParameters p;
    p.n = n;
    return HelixChain(p).model();
  }
  StraightBoxChainParameters p;
  p.n = n;
  return StraightBoxChain(p).model();
}

// A started run that can be taken up from the same state again and again. The driver times Stepper::step() alone.
struct Runner {
  const MultibodySystem& system;
  GeneralizedAlpha stepper;
  State begin;
  double mean = 1e300, cheapest = 1e300;  // seconds a step: least mean of a turn, least of all steps
  Runner(const MultibodySystem& s, const GeneralizedAlphaOptions& options, const char* backend)
      : system(s), stepper(options, [backend] { return make_backend(backend); }), begin(s.initial_state()) {
    bench::end_unless_ok(catena::run(system, stepper, begin, {.step = h, .end = 0.0}));
  }
  State run(int steps) {
    State state = begin;
    const RunResult result =
        catena::run(system, stepper, state,
                    {.step = h, .end = steps * h, .max_cuts = 0, .resume = true, .attached = true});
    bench::end_unless_ok(result);
    mean = std::min(mean, result.seconds_stepping / steps);
    cheapest = std::min(cheapest, result.seconds_fastest_step);
    return state;
  }
  void forget_times() { mean = cheapest = 1e300; }
};

double largest_difference(const MultibodySystem& system, const State& a, const State& b) {
  std::vector<double> d(a.v.size());
  system.difference(a.q.data(), b.q.data(), d.data());
  double largest = 0.0;
  for (const double x : d) largest = std::max(largest, std::abs(x));
  return largest;
}

bool compare(bool helix, const Settings& s) {
  const MultibodySystem system(chain(helix, s.bodies));
  GeneralizedAlphaOptions exact;
  exact.newton = GeneralizedAlphaOptions::Newton::exact;
  exact.jacobian = JacobianUpdate::every_iteration;
  exact.newton_tolerance = 1e-13;
  Runner reference(system, exact, "ldl");
  constexpr int verified_steps = 100;
  const State end = reference.run(verified_steps);
  const std::vector<const char*> names = {"ldl", "klu_refactor", "cholmod", "eigen_lu"};
  std::vector<std::unique_ptr<Runner>> runners;
  std::vector<double> errors;
  std::vector<StepperStatistics> verified;
  for (const char* name : names) {
    runners.push_back(std::make_unique<Runner>(system, GeneralizedAlphaOptions{}, name));
    errors.push_back(largest_difference(system, end, runners.back()->run(verified_steps)));
    verified.push_back(runners.back()->stepper.statistics());
    runners.back()->forget_times();
  }
  for (int r = 0; r < s.repetitions; ++r)
    for (auto& runner : runners) runner->run(s.steps);
  bool good = true;
  for (std::size_t k = 0; k < runners.size(); ++k) {
    const Runner& r = *runners[k];
    const StepperStatistics& count = r.stepper.statistics();
    const auto per_step = [&](long StepperStatistics::*which) {
      return static_cast<double>(count.*which - verified[k].*which) /
             static_cast<double>(count.steps - verified[k].steps);
    };
    const bool close = errors[k] <= 1e-8;
    good = good && close;
    std::printf("%-20s %6d %-12s %10.0f %8.2f %10.0f %8.2f %10.2f %12.1e%s\n",
                helix ? "helix_chain" : "straight_box_chain", s.bodies, names[k], 1e9 * r.mean / s.bodies,
                r.mean / runners.front()->mean, 1e9 * r.cheapest / s.bodies,
                per_step(&StepperStatistics::newton_iterations), per_step(&StepperStatistics::factorizations),
                errors[k], close ? "" : "  NOT within 1e-8");
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
  const MultibodySystem system(chain(true, n));
  Runner runner(system, GeneralizedAlphaOptions{}, "ldl");
  runner.run(steps);
  std::printf("\nhelix_chain N = %d: peak memory of the process %.0f bytes a body, %.0f ns a step and body\n",
              n, peak_bytes() / n, 1e9 * runner.mean / n);
}

}  // namespace

int main(int argc, char** argv) {
  Settings s;
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
  const bool straight = compare(false, s), helix = compare(true, s);
  return straight && helix ? 0 : 1;
}
