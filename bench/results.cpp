// What writing results at every step costs a run of generalized_alpha on the helix chain, monitored as the program
// does: the same run without and with the files, in turns, the smallest of each and the median of the pairs. Nothing is
// synchronised with the disk.
//
//     bench_results [--bodies N] [--steps K] [--repetitions R] [--format LIST] [--folder DIR] [--one-core]
//                   [--limit PERCENT]
//
// --format: as of `catena run`, with the same default. --one-core: the thread that writes shares the core of the run.
// --limit: status 1 where that median is more than this share of the run.
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/output/detail/result_set.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/solvers/generalized_alpha.hpp>

#include "machine.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace catena;
using namespace catena::detail;

struct Settings {
  int bodies = 1000, steps = 1000, repetitions = 10;
  std::filesystem::path folder = std::filesystem::temp_directory_path() / "catena_bench_results";
  ResultsOptions results;
  bool one_core = false;
  double limit = 100.0;  // [%]
};

double seconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Seconds: on the wall, of the processor in the thread of the run, and in all threads.
struct Cost {
  double wall = 1e300, thread = 1e300, process = 1e300, bytes = 0.0;
  void keep_smallest(const Cost& c) {
    wall = std::min(wall, c.wall);
    thread = std::min(thread, c.thread);
    process = std::min(process, c.process);
    bytes = c.bytes;
  }
};

Cost cost_of_run(const System& system, const Settings& settings, bool write) {
  GeneralizedAlpha stepper;
  Monitor monitor;
  Listeners listeners{.observers = {&monitor}};
  ResultSet results(settings.folder, settings.results,
                    {.system = &system, .stepper = &stepper, .monitor = &monitor});
  if (write) results.attach_to(listeners);
  State state = system.initial_state();
  const double wall = seconds(CLOCK_MONOTONIC), thread = seconds(CLOCK_THREAD_CPUTIME_ID),
               process = seconds(CLOCK_PROCESS_CPUTIME_ID);
  const RunResult result =
      run(system, stepper, state, {.step = 1e-3, .end = 1e-3 * settings.steps, .verdict = false}, listeners);
  Cost cost{seconds(CLOCK_MONOTONIC) - wall, seconds(CLOCK_THREAD_CPUTIME_ID) - thread,
            seconds(CLOCK_PROCESS_CPUTIME_ID) - process};
  for (const std::filesystem::path& file : results.files())
    cost.bytes += static_cast<double>(std::filesystem::file_size(file));
  if (result.status != Status::ok) {
    std::fprintf(stderr, "bench_results: the run ended with %s: %s\n", to_string(result.status),
                 result.message.c_str());
    std::exit(1);
  }
  std::filesystem::remove_all(settings.folder);
  return cost;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  for (int k = 1; k < argc; ++k) {
    const std::string_view name = argv[k];
    if (name == "--one-core") {
      settings.one_core = true;
    } else if (k + 1 < argc && name == "--folder") {
      settings.folder = argv[++k];
    } else if (k + 1 < argc && name == "--format") {
      settings.results.format = argv[++k];
    } else if (k + 1 < argc && name == "--limit") {
      settings.limit = std::atof(argv[++k]);
    } else if (k + 1 < argc && (name == "--bodies" || name == "--steps" || name == "--repetitions")) {
      (name == "--bodies"  ? settings.bodies
       : name == "--steps" ? settings.steps
                           : settings.repetitions) = std::atoi(argv[++k]);
    } else {
      std::fprintf(stderr,
                   "bench_results [--bodies N] [--steps K] [--repetitions R] [--format LIST] [--folder DIR] "
                   "[--one-core] [--limit PERCENT]\n");
      return 2;
    }
  }
  if (const std::string defect = results_defect(settings.results); !defect.empty()) {
    std::fprintf(stderr, "bench_results: --format: %s\n", defect.c_str());
    return 2;
  }
  settings.repetitions = std::max(1, settings.repetitions);
  if (settings.one_core && bench::pin_to_one_core() < 0) return 1;
  const MultibodySystem system(HelixChain({.n = settings.bodies}).model());
  Cost without, with;
  std::vector<double> shares;  // [%] of the wall's time, of each pair
  for (int k = 0; k < settings.repetitions; ++k) {
    const Cost a = cost_of_run(system, settings, false), b = cost_of_run(system, settings, true);
    shares.push_back(100.0 * (b.wall - a.wall) / b.wall);
    without.keep_smallest(a);
    with.keep_smallest(b);
  }
  const double work = 1e-9 * settings.bodies * settings.steps;
  std::printf("helix_chain, %d bodies, %d steps, %.0f bytes a body and step\n", settings.bodies,
              settings.steps, with.bytes / settings.bodies / settings.steps);
  const auto line = [&](const char* what, double a, double b) {
    std::printf("%-32s %8.1f ns a body and step without, %8.1f with: %5.1f %% of the run\n", what, a / work,
                b / work, 100.0 * (b - a) / b);
  };
  line("wall", without.wall, with.wall);
  line("processor, thread of the run", without.thread, with.thread);
  line("processor, all threads", without.process, with.process);
  std::nth_element(shares.begin(), shares.begin() + settings.repetitions / 2, shares.end());
  const double share = shares[static_cast<std::size_t>(settings.repetitions / 2)];
  std::printf("%-32s %.1f %% of the run\n", "wall, median of the pairs", share);
  if (share <= settings.limit) return 0;
  std::fprintf(stderr, "bench_results: the files take %.1f %% of the run, more than %g %%\n", share,
               settings.limit);
  return 1;
}
