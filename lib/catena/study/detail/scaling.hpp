// How the costs of a run grow with the size of a problem.
#pragma once
#include <catena/study/detail/cost_model.hpp>
#include <catena/study/detail/method_comparison.hpp>
#include <catena/study/detail/phase.hpp>

#include <array>
#include <atomic>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace catena::detail {

// What is asked for.
struct ScaleRequest {
  std::string problem = {};                    // name or model file
  Settings parameters = {};                    // but the one that is varied
  std::string by = "n";                        // the parameter that sets the size
  std::vector<std::string> sizes = {};         // its values, smallest first
  std::vector<ComparedStepper> steppers = {};  // empty: the problem's own
  std::vector<std::string> backends = {};      // empty: the first of the catalog
  std::vector<int> threads = {1};
  std::optional<double> step = {};  // [s] empty: the problem's own
  int steps = 50;                   // of each run
  int repeat = 3;                   // runs of each row, for the least time
  int scenarios = 0;                // of ensembles, for each size; 0: none
  std::vector<int> ranks = {};      // of mpirun, that run rows of ensembles; one more deals them
  bool predict = true;              // the times and the memory, before they are measured
};

// One size with one method on so many threads.
struct ScaledRun {
  ComparedStepper stepper;
  std::string backend;
  int threads = 1;
  std::string size;          // the value of the parameter
  std::string failure = {};  // a sentence; empty: it reached its end
  int bodies = 0;            // that move
  int rows = 0;              // of constraints
  long steps = 0;
  double iterations = 0.0, factorizations = 0.0;  // a step
  // [s] a step (Phase::setup: a run), of the repetition whose steps took the least time in all.
  std::array<double, phase_count> seconds = {};
  double spread = 0.0;  // of the slowest repetition against the fastest: 0.04 for 4 % more
  double peak_bytes =
      std::numeric_limits<double>::quiet_NaN();  // of memory, above that of a process without a model
  SizeWork work = {};                            // by its analysis
  Prediction predicted = {.why_not = "nothing was predicted"};  // before it was run

  bool ok() const { return failure.empty(); }
  double of(Phase phase) const { return seconds[static_cast<std::size_t>(phase)]; }
};

// seconds = c bodies^exponent
struct ScalingExponent {
  double exponent = std::numeric_limits<double>::quiet_NaN();
  double uncertainty = std::numeric_limits<double>::quiet_NaN();  // half the width of an interval of 95 %
  int points = 0;  // 0: there are fewer than three, or the phase takes no time
  bool known() const { return points > 0; }
};

// By least squares of the logarithms over the points with at least 1000 bodies, where the fixed costs of a step no longer
// count, if these are three or more, else over all. Fewer than three points, or a value that is not positive: none.
ScalingExponent scaling_exponent(const std::vector<double>& bodies, const std::vector<double>& values);

// The rows of one stepper, back end and number of threads.
struct ScaledSeries {
  ComparedStepper stepper;
  std::string backend;
  int threads = 1;
  std::vector<ScaledRun> runs = {};  // in the order of the sizes
  bool chooses_step = false;  // the stepper does, so that the step that is asked for is not the one it takes
  std::array<ScalingExponent, phase_count> exponents = {};
  ScalingExponent memory = {};

  // Phases whose exponent is above 1.05 with all of its interval.
  std::vector<Phase> more_than_linear() const;
};

// Threads of one process, processes with one thread each, or ranks of mpirun, which are processes that are dealt rows.
enum class Workers { threads, processes, ranks };
inline constexpr std::array<Workers, 3> all_workers{Workers::threads, Workers::processes, Workers::ranks};

// An ensemble of equal scenarios on several workers, one row at a time on each.
struct EnsembleRun {
  Workers kind = Workers::threads;
  int workers = 1;
  // [s] by the clock, from the start of the first process to the end of the last, the least of the repetitions.
  double strong = 0.0;  // as many scenarios in all as were asked for
  double weak = 0.0;    // as many for each worker
  // Of workers, against the first run of this kind: 1 where each does as much in a second as there.
  double strong_efficiency = 1.0, weak_efficiency = 1.0;
};

inline const char* name_of(Workers kind) {
  return kind == Workers::threads ? "threads" : kind == Workers::processes ? "processes" : "ranks";
}

struct EnsembleSeries {
  ComparedStepper stepper;
  std::string backend;
  std::string size;
  int bodies = 0;
  std::string failure = {};   // a sentence; empty: all rows reached their end
  std::string no_ranks = {};  // a sentence on why there are none, though they were asked for
  std::vector<EnsembleRun> runs =
      {};  // over threads, over processes, over ranks; each in the order of the request
};

struct Scaling {
  ScaleRequest request;
  double step = 0.0;                            // [s] that steppers take which do not choose theirs
  std::vector<MemoryPrice> memory_prices = {};  // of this machine, for the predictions
  std::vector<ScaledSeries> series = {};
  std::vector<EnsembleSeries> ensembles = {};  // where scenarios are asked for
  bool interrupted = false;

  double time_of_run() const { return request.steps * step; }  // [s] of the motion
  bool any_chooses_step() const;
};

struct ScaleContext {
  const std::atomic<bool>* stop = nullptr;
  std::function<void(int done, int of)> progress = {};  // runs
};

// Each run has a process of its own, for its memory, and so that a size that is too large for the machine is a row that
// failed; repetitions are interleaved. Throws ScenarioError, UsageError or ModelError for
// what cannot be asked.
Scaling scale(const ScaleRequest& request, const Catalog& catalog, const ScaleContext& context = {});

}  // namespace catena::detail
