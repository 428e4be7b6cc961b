// What an ensemble and a sweep cost beside the runs themselves. Minima of the repetitions, in turns: on the wall, and of
// the processors, which other programs disturb less.
//
//     bench_ensemble [--scenarios N] [--bodies N] [--rows N] [--samples N] [--dealt N] [--repetitions R] [--folder DIR] [--problem NAME]
//
//   ensemble   N scenarios of helix_chain, or of NAME with its n, of 20 bodies and of as many as asked for, one by one through run(), by run_ensemble() on one thread and on two
//   sweep      rows of a short chain by run_ensemble() and by run_sweep() with its table in DIR
//   samples    rows of a sweep over three drawn variables, made and thrown away: time and memory
//   dealt      rows of one step of a pendulum, dealt to four shards and collected: time and memory
#include <catena/builtin/builtin.hpp>
#include <catena/study/ensemble.hpp>
#include <catena/study/sweep.hpp>

#include "machine.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace catena;

struct EnsembleSettings {
  int scenarios = 1000, bodies = 100, rows = 2000, samples = 1'000'000, dealt = 20'000, repetitions = 3;
  std::string problem = "helix_chain";
  std::filesystem::path folder = std::filesystem::temp_directory_path() / "catena_bench_ensemble";
};

// Seconds on the wall and of all threads on the processors.
struct Spent {
  double wall = 1e300, processors = 1e300;

  void keep_smallest(const Spent& other) {
    wall = std::min(wall, other.wall);
    processors = std::min(processors, other.processors);
  }
};

template <class Work>
Spent spent_by(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  const std::clock_t before = std::clock();
  work();
  const std::clock_t after = std::clock();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
          static_cast<double>(after - before) / CLOCKS_PER_SEC};
}

void need(bool ok, const char* what) {
  if (ok) return;
  std::fprintf(stderr, "failed: %s\n", what);
  std::exit(1);
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

Scenario chain(int bodies, double end, const std::string& problem = "helix_chain") {
  Scenario scenario{.problem = problem, .step = 1e-3, .end = end};
  return scenario.set("n", bodies);
}

void measure_ensemble(const EnsembleSettings& s, int bodies, const Catalog& catalog) {
  const std::vector<Scenario> scenarios(static_cast<std::size_t>(s.scenarios),
                                        chain(bodies, 0.02, s.problem));
  Spent alone, one, two;
  const auto drop = [](std::size_t, Record& record) {
    need(record.ok(), "a row");
    record = {};  // as a sweep does
  };
  for (int k = 0; k < s.repetitions; ++k) {
    alone.keep_smallest(spent_by([&] {
      for (const Scenario& scenario : scenarios) need(run(scenario, catalog).ok(), "a run");
    }));
    one.keep_smallest(spent_by([&] { run_ensemble(scenarios, catalog, {.threads = 1, .done = drop}); }));
    two.keep_smallest(spent_by([&] { run_ensemble(scenarios, catalog, {.threads = 2, .done = drop}); }));
  }
  std::printf("ensemble: %d scenarios of %s with n = %d, 20 steps each\n", s.scenarios, s.problem.c_str(),
              bodies);
  std::printf("  one by one           %8.3f s, of the processors %8.3f s\n", alone.wall, alone.processors);
  std::printf("  ensemble, 1 thread   %8.3f s, of the processors %8.3f s: %.3f, %.3f of the speed\n",
              one.wall, one.processors, alone.wall / one.wall, alone.processors / one.processors);
  std::printf("  ensemble, 2 threads  %8.3f s, of the processors %8.3f s: %.2f times one thread\n", two.wall,
              two.processors, one.wall / two.wall);
}

void measure_sweep(const EnsembleSettings& s, const Catalog& catalog) {
  Sweep sweep{.base = chain(5, 0.08)};  // about 1 ms a row
  sweep.axes = {{{.key = "gravity", .distribution = {.a = 9.0, .b = 10.0}}}};
  sweep.samples = static_cast<std::size_t>(s.rows);
  const SweepRows rows(sweep);
  Spent bare, stored;
  for (int k = 0; k < s.repetitions; ++k) {
    bare.keep_smallest(spent_by(
        [&] { run_rows(rows.count(), [&](std::size_t row) { return rows.scenario(row); }, catalog, {}); }));
    std::filesystem::remove_all(s.folder);
    stored.keep_smallest(spent_by(
        [&] { need(run_sweep(rows, catalog, {.folder = s.folder}).ok == rows.count(), "a sweep"); }));
  }
  const double n = s.rows, wall = stored.wall - bare.wall, processors = stored.processors - bare.processors;
  std::printf("sweep: %d rows of %.3f ms\n", s.rows, 1e3 * bare.processors / n);
  std::printf("  table on disk: %.3f ms a row more, of the processors %.3f ms, %.1f %%\n", 1e3 * wall / n,
              1e3 * processors / n, 100.0 * processors / bare.processors);
  std::printf("  %.0f bytes a row\n",
              static_cast<double>(std::filesystem::file_size(s.folder / sweep_file(1, 1))) / n);
  std::filesystem::remove_all(s.folder);
}

void measure_samples(const EnsembleSettings& s) {
  const struct {
    Sampling kind;
    const char* name;
  } kinds[] = {
      {Sampling::random, "random"}, {Sampling::latin_hypercube, "latin"}, {Sampling::sobol, "sobol"}};
  for (const auto& kind : kinds) {
    Sweep sweep{.base = chain(5, 0.04), .sampling = kind.kind};
    for (const char* axis : {"gravity=uniform:9:10", "k=normal:1:0.1", "m=lognormal:1:0.1"})
      sweep.axes.push_back(axis_from_text(axis));
    sweep.samples = static_cast<std::size_t>(s.samples);
    const double before = peak_megabytes();
    std::size_t letters = 0;
    const Spent taken = spent_by([&] {
      const SweepRows rows(sweep);
      for (std::size_t row = 0; row < rows.count(); ++row)
        letters += rows.scenario(row).parameters.at("gravity").size();
    });
    need(letters > 0, "samples");
    std::printf("samples: %d rows, %s: %.2f s, %.1f MB of memory more\n", s.samples, kind.name, taken.wall,
                peak_megabytes() - before);
  }
}

// Memory is a peak: what the first shard takes the others have already.
void measure_dealing(const EnsembleSettings& s, const Catalog& catalog) {
  constexpr int shards = 4;
  Sweep sweep{.base = {.problem = "simple_pendulum", .step = 1e-3, .end = 1e-3}};
  sweep.axes = {axis_from_text("gravity=uniform:9:10")};
  sweep.samples = static_cast<std::size_t>(s.dealt);
  sweep.keep = {reduction_from_text("end energy/kinetic")};
  const SweepRows rows(sweep);
  std::filesystem::remove_all(s.folder);
  run_sweep(SweepRows({.base = sweep.base, .axes = sweep.axes, .samples = 1, .keep = sweep.keep}), catalog,
            {});
  const auto measure = [&](const char* name, const auto& work) {
    const double before = peak_megabytes();
    const Spent taken = spent_by(work);
    std::printf("  %-9s %8.2f s, %.1f MB of memory more\n", name, taken.wall, peak_megabytes() - before);
  };
  std::printf("dealt: %d rows of one step to %d shards\n", s.dealt, shards);
  for (int k = 1; k <= shards; ++k)
    measure(("shard " + std::to_string(k)).c_str(), [&] {
      const SweepCounts counts =
          run_sweep(rows, catalog, {.folder = s.folder, .shard = k, .shards = shards, .threads = 2});
      need(counts.rows > 0 && counts.ok == counts.rows, "a shard");
    });
  measure("collect", [&] {
    need(collect_sweep({s.folder}, s.folder / "all.sqlite").rows() == rows.count(), "a collected table");
  });
  std::filesystem::remove_all(s.folder);
}

}  // namespace

int main(int argc, char** argv) {
  EnsembleSettings settings;
  for (int k = 1; k + 1 < argc; k += 2) {
    const std::string_view name = argv[k];
    const char* const value = argv[k + 1];
    if (name == "--scenarios")
      settings.scenarios = std::atoi(value);
    else if (name == "--bodies")
      settings.bodies = std::atoi(value);
    else if (name == "--rows")
      settings.rows = std::atoi(value);
    else if (name == "--samples")
      settings.samples = std::atoi(value);
    else if (name == "--dealt")
      settings.dealt = std::atoi(value);
    else if (name == "--repetitions")
      settings.repetitions = std::atoi(value);
    else if (name == "--problem")
      settings.problem = value;
    else if (name == "--folder")
      settings.folder = value;
    else
      need(false, "an unknown option; they are at the head of bench/ensemble.cpp");
  }
  catena::bench::single_threaded_blas();
  const Catalog catalog = builtin();
  measure_samples(settings);
  if (settings.dealt > 0) measure_dealing(settings, catalog);
  if (settings.rows > 0) measure_sweep(settings, catalog);
  if (settings.scenarios > 0)
    for (const int bodies : {20, settings.bodies}) measure_ensemble(settings, bodies, catalog);
}
