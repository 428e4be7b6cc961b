// A whole time step of lie_dae (order 1, index 3) and of dormand_prince with fixed steps on straight_box_chain: the end
// verified against another back end, then timed on the own one and on library back ends, in turns, in one run.
//
//     bench_steppers [--bodies N] [--steps K] [--repetitions R]
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/math/parallel.hpp>
#include <catena/problems/straight_box_chain.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/lie_dae.hpp>
#include <catena/sparse/backends/backends.hpp>

#include "machine.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <vector>

namespace {

using namespace catena;

struct Settings {
  int bodies = 1000, steps = 10, repetitions = 20;
};

constexpr double h = 1e-3;
using Make = std::function<std::unique_ptr<Stepper>(const LinearSolverFactory&)>;

// A started run that can be taken up from the same state again and again. The driver times Stepper::step() alone.
struct Runner {
  const MultibodySystem& system;
  std::unique_ptr<Stepper> stepper;
  State begin;
  double best = 1e300;  // seconds of one step
  Runner(const MultibodySystem& s, const Make& make, const char* backend)
      : system(s), stepper(make([backend] { return make_backend(backend); })), begin(s.initial_state()) {
    bench::end_unless_ok(catena::run(system, *stepper, begin, {.step = h, .end = 0.0}));
  }
  State run(int steps) {
    State state = begin;
    const RunResult result =
        catena::run(system, *stepper, state,
                    {.step = h, .end = steps * h, .max_cuts = 0, .resume = true, .attached = true});
    bench::end_unless_ok(result);
    best = std::min(best, result.seconds_fastest_step);
    return state;
  }
};

bool compare(const char* what, const Make& make, const Settings& s, double at_most) {
  StraightBoxChainParameters p;
  p.n = s.bodies;
  const MultibodySystem system(StraightBoxChain(p).model());
  const std::vector<const char*> names = {"ldl", "klu_refactor", "cholmod", "eigen_lu"};
  std::vector<std::unique_ptr<Runner>> runners;
  for (const char* name : names) runners.push_back(std::make_unique<Runner>(system, make, name));
  for (int r = 0; r < s.repetitions; ++r)
    for (auto& runner : runners) runner->run(s.steps);
  constexpr int verified_steps = 50;
  const State end = runners[1]->run(verified_steps);
  bool good = true;
  for (std::size_t k = 0; k < runners.size(); ++k) {
    const State mine = runners[k]->run(verified_steps);
    std::vector<double> d(end.v.size());
    system.difference(end.q.data(), mine.q.data(), d.data());
    double error = 0.0;
    for (const double x : d) error = std::max(error, std::abs(x));
    const double nanoseconds = 1e9 * runners[k]->best / s.bodies;
    const bool fast = k > 0 || at_most <= 0.0 || nanoseconds <= at_most;
    good = good && error <= 1e-8 && fast;
    std::printf("%-26s %6d %-12s %10.0f %8.2f %12.1e%s%s\n", what, s.bodies, names[k], nanoseconds,
                runners[k]->best / runners.front()->best, error, error <= 1e-8 ? "" : "  NOT within 1e-8",
                fast ? "" : "  MORE than wanted");
  }
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  Settings s;
  if (!bench::ready(argc, argv,
                    {{"--bodies", &s.bodies}, {"--steps", &s.steps}, {"--repetitions", &s.repetitions}}))
    return 2;
  std::printf("straight_box_chain, h = 1e-3, one thread, minimum of one step over %d turns of %d steps\n",
              s.repetitions, s.steps);
  std::printf("%-26s %6s %-12s %10s %8s %12s\n", "stepper", "bodies", "back end", "ns/step/b", "ratio",
              "vs klu");
  const Make lie_dae = [](const LinearSolverFactory& backend) {
    LieDaeOptions o;
    o.order = 1;
    return std::make_unique<LieDae>(o, backend);
  };
  const Make explicit_method = [](const LinearSolverFactory& backend) {
    DormandPrinceOptions o;
    o.control = DormandPrinceOptions::Control::fixed;
    return std::make_unique<DormandPrince>(o, backend);
  };
  constexpr double wanted = 1500.0;  // [ns] of lie_dae, order 1 and index 3, at N = 1000
  const bool implicit = compare("lie_dae (order = 1)", lie_dae, s, wanted);
  const bool explicitly = compare("dormand_prince (fixed)", explicit_method, s, 0.0);
  return implicit && explicitly ? 0 : 1;
}
