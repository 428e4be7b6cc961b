// What the monitor and the verdict cost a run, as the program has them: the same run with neither, with the monitor of residuals
// and energies, and with the verdict on what that sees, in turns, by the time of the processor: the smallest of each, and the
// medians of what one adds to the other.
//
//     bench_verdict [--repetitions R] [--limit PERCENT]
//
// --limit: status 1 where the verdict takes more than this share of a run.
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/measure/detail/verdict.hpp>
#include <catena/measure/parts/monitor.hpp>
#include <catena/problems/box_chain.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/problems/n_four_bar.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/generalized_alpha.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string_view>
#include <vector>

namespace {

using namespace catena;

struct Case {
  const char* name;
  Model model;
  bool is_explicit;
  double step, end;  // [s]
};

// Seconds of the processor in this thread.
double now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

enum class Watched { by_nobody, by_the_monitor, by_the_verdict };

double seconds_of_run(const System& system, const Case& c, Watched watched) {
  std::unique_ptr<Stepper> stepper;
  if (c.is_explicit)
    stepper = std::make_unique<DormandPrince>();
  else
    stepper = std::make_unique<GeneralizedAlpha>();
  Monitor monitor;
  detail::RunVerdict verdict(monitor);
  Listeners listeners;
  if (watched != Watched::by_nobody) listeners.observers.push_back(&monitor);
  if (watched == Watched::by_the_verdict) listeners.observers.push_back(&verdict);
  State state = system.initial_state();
  const double begin = now();
  const RunResult result =
      run(system, *stepper, state, {.step = c.step, .end = c.end, .verdict = false}, listeners);
  if (watched == Watched::by_the_verdict)
    for (const Remark& remark : verdict.remarks(state, result, stepper->statistics(), stepper->traits()))
      std::fprintf(stderr, "bench_verdict: %s: %s\n", c.name, remark.text.c_str());
  const double seconds = now() - begin;
  if (result.status != Status::ok) {
    std::fprintf(stderr, "bench_verdict: %s ended with %s: %s\n", c.name, to_string(result.status),
                 result.message.c_str());
    std::exit(1);
  }
  return seconds;
}

double median(std::vector<double> shares) {
  std::nth_element(shares.begin(), shares.begin() + static_cast<std::ptrdiff_t>(shares.size() / 2),
                   shares.end());
  return shares[shares.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  int repetitions = 15;
  double limit = 100.0;  // [%]
  for (int k = 1; k < argc; ++k) {
    const std::string_view name = argv[k];
    if (k + 1 < argc && name == "--repetitions") {
      repetitions = std::max(1, std::atoi(argv[++k]));
    } else if (k + 1 < argc && name == "--limit") {
      limit = std::atof(argv[++k]);
    } else {
      std::fprintf(stderr, "bench_verdict [--repetitions R] [--limit PERCENT]\n");
      return 2;
    }
  }
  const std::vector<Case> cases{
      {"helix_chain n=1000, generalized_alpha", HelixChain({.n = 1000}).model(), false, 1e-3, 0.3},
      {"box_chain n=4, generalized_alpha", BoxChain().model(), false, 1e-3, 10.0},
      {"box_chain n=4, dormand_prince", BoxChain().model(), true, 1e-2, 10.0},
      {"n_four_bar n=40, generalized_alpha", NFourBar({.n = 40}).model(), false, 1e-3, 1.0}};
  bool kept = true;
  for (const Case& c : cases) {
    const MultibodySystem system(c.model);
    double alone = 1e300, monitored = 1e300, assessed = 1e300;
    std::vector<double> of_monitor, of_verdict;  // [%] of each turn
    for (int k = 0; k < repetitions; ++k) {
      const double a = seconds_of_run(system, c, Watched::by_nobody),
                   b = seconds_of_run(system, c, Watched::by_the_monitor),
                   d = seconds_of_run(system, c, Watched::by_the_verdict);
      of_monitor.push_back(100.0 * (b - a) / b);
      of_verdict.push_back(100.0 * (d - b) / d);
      alone = std::min(alone, a);
      monitored = std::min(monitored, b);
      assessed = std::min(assessed, d);
    }
    const double share = median(of_verdict);
    std::printf(
        "%-38s %8.3f ms alone, %8.3f monitored, %8.3f with the verdict: monitor %5.2f %%, verdict %5.2f %%\n",
        c.name, 1e3 * alone, 1e3 * monitored, 1e3 * assessed, median(of_monitor), share);
    if (share <= limit) continue;
    std::fprintf(stderr, "bench_verdict: %s: the verdict takes %.2f %% of the run, more than %g %%\n", c.name,
                 share, limit);
    kept = false;
  }
  return kept ? 0 : 1;
}
