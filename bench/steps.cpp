// A whole time step of generalized_alpha on long chains: verified against exact Newton at 1e-13, then timed
// against the same stepper on the best library back end, in turns, in one run; and the memory of N = 1e5.
//
//     bench_steps [--bodies N] [--steps K] [--repetitions R] [--memory-bodies M]
#include <catena/assembly/multibody_system.hpp>
#include <catena/math/parallel.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/problems/straight_box_chain.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/sparse/backends/backends.hpp>
#include <catena/stepper/phase_timer.hpp>

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
  int bodies = 1000, steps = 10, repetitions = 20, memory_bodies = 100000;
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

// A started run that can be taken up from the same state again and again.
struct Runner {
  const MultibodySystem& system;
  GeneralizedAlpha stepper;
  State begin;
  double best = 1e300;  // seconds of one step
  Runner(const MultibodySystem& s, const GeneralizedAlphaOptions& options, const char* backend)
      : system(s), stepper(options, [backend] { return make_backend(backend); }), begin(s.initial_state()) {
    bench::end_unless_ok(stepper.attach(s));
    bench::end_unless_ok(stepper.start(begin, h));
  }
  State run(int steps) {
    State state = begin;
    for (int k = 0; k < steps; ++k) {
      const double from = seconds_now();
      bench::end_unless_ok(stepper.step(state, h));
      best = std::min(best, seconds_now() - from);
    }
    return state;
  }
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
  runners.reserve(names.size());
  for (const char* name : names)
    runners.push_back(std::make_unique<Runner>(system, GeneralizedAlphaOptions{}, name));
  bool good = true;
  for (int r = 0; r < s.repetitions; ++r)
    for (auto& runner : runners) runner->run(s.steps);
  const double own = runners.front()->best;
  for (std::size_t k = 0; k < runners.size(); ++k) {
    const auto& count = runners[k]->stepper.statistics();
    const double newton = static_cast<double>(count.newton_iterations) / static_cast<double>(count.steps);
    const double error = largest_difference(system, end, runners[k]->run(verified_steps));
    good = good && error <= 1e-8;
    std::printf("%-20s %6d %-12s %10.0f %8.2f %10.2f %12.1e%s\n",
                helix ? "helix_chain" : "straight_box_chain", s.bodies, names[k],
                1e9 * runners[k]->best / s.bodies, runners[k]->best / own, newton, error,
                error <= 1e-8 ? "" : "  NOT within 1e-8");
  }
  return good;
}

double peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

void memory(int n) {
  if (n <= 0) return;
  const MultibodySystem system(chain(true, n));
  Runner runner(system, GeneralizedAlphaOptions{}, "ldl");
  runner.run(2);
  std::printf("\nhelix_chain N = %d: peak memory of the process %.0f bytes a body, %.0f ns a step and body\n",
              n, peak_bytes() / n, 1e9 * runner.best / n);
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
  memory(s.memory_bodies);  // first: the peak of the process is that of its largest part
  std::printf(
      "\nnewton tolerance 1e-10, h = 1e-3, one thread, minimum of one step over %d turns of %d steps\n",
      s.repetitions, s.steps);
  std::printf("%-20s %6s %-12s %10s %8s %10s %12s\n", "problem", "bodies", "back end", "ns/step/b", "ratio",
              "newton", "vs 1e-13");
  const bool straight = compare(false, s), helix = compare(true, s);
  return straight && helix ? 0 : 1;
}
