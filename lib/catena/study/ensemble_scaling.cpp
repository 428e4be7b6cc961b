#include <catena/study/detail/ensemble_scaling.hpp>
#include <catena/study/detail/own_process.hpp>
#include <catena/study/detail/rank_ensemble.hpp>
#include <catena/study/detail/scaled_run.hpp>
#include <catena/study/ensemble.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace catena::detail {
namespace {

// Runs rows in this process; a sentence on the first that failed.
std::string run_equal_rows(const Scenario& scenario, int rows, int threads, const Catalog& catalog,
                           const std::atomic<bool>* stop) {
  std::string failure;
  EnsembleOptions options{.threads = threads, .stop = stop};
  options.done = [&](std::size_t, Record& record) {
    if (!record.ok() && failure.empty()) failure = termination(record.report);
  };
  run_rows(
      static_cast<std::size_t>(rows), [&](std::size_t) { return scenario; }, catalog, options);
  return failure;
}

class Measurement {
 public:
  Measurement(const Scaling& scaling, EnsembleSeries& series, const Catalog& catalog,
              const std::atomic<bool>* stop)
      : request_(scaling.request), series_(series), catalog_(catalog), stop_(stop) {
    ScaledRun run{series.stepper, series.backend, 1, series.size};
    scenario_ = timed_scenario(request_, run, scaling.step);
  }

  void operator()() {
    for (const Workers kind : all_workers)
      for (const int workers : kind == Workers::ranks ? request_.ranks : request_.threads) {
        EnsembleRun run{.kind = kind, .workers = workers};
        if (!least(run, request_.scenarios, run.strong) ||
            !least(run, request_.scenarios * workers, run.weak)) {
          if (series_.no_ranks.empty()) return;
          break;
        }
        series_.runs.push_back(run);
      }
    fill_efficiencies(series_.runs);
  }

 private:
  bool least(const EnsembleRun& run, int scenarios, double& seconds) {
    for (int turn = 0; turn < request_.repeat; ++turn) {
      if (stop_ != nullptr && *stop_) return false;
      const double now = clocked(run, scenarios);
      if (!series_.failure.empty() || !series_.no_ranks.empty() || (stop_ != nullptr && *stop_)) return false;
      seconds = turn == 0 ? now : std::min(seconds, now);
    }
    return true;
  }

  double clocked(const EnsembleRun& run, int scenarios) {
    const auto begun = std::chrono::steady_clock::now();
    const auto used = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    };
    if (run.kind == Workers::ranks) {
      series_.no_ranks = run_over_ranks(scenario_, scenarios, run.workers);
      return used();
    }
    const bool apart = run.kind == Workers::processes;
    const int processes = apart ? run.workers : 1, threads = apart ? 1 : run.workers;
    const std::vector<OwnProcess> ended = in_own_processes(processes, [&](int which) {
      const int share = scenarios / processes + (which < scenarios % processes ? 1 : 0);
      return run_equal_rows(scenario_, share, threads, catalog_, stop_);
    });
    const double seconds = used();
    for (const OwnProcess& process : ended) {
      if (!series_.failure.empty()) break;
      series_.failure = process.ended() ? process.answer : why_not_ended(process);
    }
    return seconds;
  }

  const ScaleRequest& request_;
  EnsembleSeries& series_;
  const Catalog& catalog_;
  const std::atomic<bool>* const stop_;
  Scenario scenario_;
};

}  // namespace

void fill_efficiencies(std::vector<EnsembleRun>& runs) {
  for (EnsembleRun& run : runs) {
    const EnsembleRun& first = *std::find_if(
        runs.begin(), runs.end(), [&](const EnsembleRun& other) { return other.kind == run.kind; });
    run.strong_efficiency = first.strong * first.workers / (run.strong * run.workers);
    run.weak_efficiency = first.weak / run.weak;
  }
}

void scale_ensembles(Scaling& scaling, const Catalog& catalog, const std::atomic<bool>* stop) {
  for (const ScaledSeries& series : scaling.series) {
    if (series.threads != scaling.request.threads.front()) continue;
    for (const ScaledRun& run : series.runs) {
      EnsembleSeries ensemble{series.stepper, series.backend, run.size, run.bodies, run.failure, {}};
      if (ensemble.failure.empty()) Measurement(scaling, ensemble, catalog, stop)();
      scaling.ensembles.push_back(std::move(ensemble));
    }
  }
}

}  // namespace catena::detail
