#include <catena/experiment/detail/folder_for_a_while.hpp>
#include <catena/experiment/parts/opened_problem.hpp>
#include <catena/experiment/parts/options.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/experiment/scenario.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/study/detail/ensemble_scaling.hpp>
#include <catena/study/detail/own_process.hpp>
#include <catena/study/detail/scaled_run.hpp>
#include <catena/study/detail/scaling.hpp>
#include <catena/study/detail/scaling_prediction.hpp>
#include <catena/study/detail/student.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace catena::detail {
namespace {

std::vector<ScaledSeries> empty_series(const ScaleRequest& request) {
  std::vector<ScaledSeries> all;
  const std::vector<ComparedStepper> steppers =
      request.steppers.empty() ? std::vector<ComparedStepper>(1) : request.steppers;
  const std::vector<std::string> backends =
      request.backends.empty() ? std::vector<std::string>(1) : request.backends;
  for (const ComparedStepper& stepper : steppers)
    for (const std::string& backend : backends)
      for (const int threads : request.threads) {
        ScaledSeries series{stepper, backend, threads};
        for (const std::string& size : request.sizes) {
          ScaledRun run{stepper, backend, threads, size};
          series.runs.push_back(std::move(run));
        }
        all.push_back(std::move(series));
      }
  return all;
}

// Nobody has typed "--set n=10".
void refuse_missing_size(const ScaleRequest& request, const Catalog& catalog) {
  const Scenario asked{.problem = request.problem, .parameters = request.parameters};
  const OpenedProblem opened = open_problem(asked, catalog);
  const std::vector<OptionValue> parameters =
      option_values([&](OptionVisitor& v) { opened.problem->visit(v); });
  std::vector<std::string> names;
  for (const OptionValue& parameter : parameters) names.push_back(parameter.name);
  if (std::find(names.begin(), names.end(), request.by) != names.end()) return;
  throw UsageError(fmt::format("{} has no parameter \"{}\" for the number of bodies: name it by --by{}",
                               request.problem, request.by,
                               names.empty() ? "; it has no parameters" : ", of " + listed(names)));
}

// What is left empty, and whether every row makes sense; nothing is run.
void complete(Scaling& scaling, const Catalog& catalog) {
  refuse_missing_size(scaling.request, catalog);
  for (ScaledSeries& series : scaling.series)
    for (ScaledRun& run : series.runs) {
      const Scenario whole = completed(scenario_of(scaling.request, run), catalog);
      series.stepper.name = run.stepper.name = whole.stepper;
      series.chooses_step = chooses_step({whole.stepper, whole.options}, {}, catalog);
      series.backend = run.backend = whole.backend;
      scaling.step = whole.step.value_or(0.0);
    }
}

void fit(ScaledSeries& series) {
  std::vector<double> bodies, memory;
  std::array<std::vector<double>, phase_count> seconds;
  for (const ScaledRun& run : series.runs) {
    if (!run.ok()) continue;
    bodies.push_back(run.bodies);
    memory.push_back(run.peak_bytes);
    for (const Phase phase : all_phases) seconds[static_cast<std::size_t>(phase)].push_back(run.of(phase));
  }
  for (std::size_t k = 0; k < phase_count; ++k) series.exponents[k] = scaling_exponent(bodies, seconds[k]);
  series.memory = scaling_exponent(bodies, memory);
}

}  // namespace

const char* name_of(Phase phase) {
  switch (phase) {
    case Phase::evaluate:
      return "evaluate";
    case Phase::factorize:
      return "factorise";
    case Phase::solve:
      return "solve";
    case Phase::rest:
      return "rest";
    case Phase::step:
      return "step";
    case Phase::setup:
      return "set-up";
  }
  return "";
}

ScalingExponent scaling_exponent(const std::vector<double>& bodies, const std::vector<double>& values) {
  constexpr double large = 1000.0;
  const auto many = static_cast<std::size_t>(
      std::count_if(bodies.begin(), bodies.end(), [](double n) { return n >= large; }));
  std::vector<double> x, y;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    if (many >= 3 && bodies[k] < large) continue;
    if (!(values[k] > 0.0)) return {};
    x.push_back(std::log(bodies[k]));
    y.push_back(std::log(values[k]));
  }
  const std::size_t n = x.size();
  if (n < 3) return {};
  double mean_x = 0.0, mean_y = 0.0, xx = 0.0, xy = 0.0;
  for (std::size_t k = 0; k < n; ++k) {
    mean_x += x[k] / static_cast<double>(n);
    mean_y += y[k] / static_cast<double>(n);
  }
  for (std::size_t k = 0; k < n; ++k) {
    xx += (x[k] - mean_x) * (x[k] - mean_x);
    xy += (x[k] - mean_x) * (y[k] - mean_y);
  }
  if (!(xx > 0.0)) return {};
  ScalingExponent found{xy / xx, 0.0, static_cast<int>(n)};
  double rest = 0.0;
  for (std::size_t k = 0; k < n; ++k) {
    const double off = y[k] - mean_y - found.exponent * (x[k] - mean_x);
    rest += off * off;
  }
  found.uncertainty = student(n - 2) * std::sqrt(rest / static_cast<double>(n - 2) / xx);
  return found;
}

bool Scaling::any_chooses_step() const {
  return std::any_of(series.begin(), series.end(), [](const ScaledSeries& s) { return s.chooses_step; });
}

std::vector<Phase> ScaledSeries::more_than_linear() const {
  constexpr double linear = 1.05;  // what the studies of this library call linear
  std::vector<Phase> phases;
  for (const Phase phase : all_phases) {
    const ScalingExponent& e = exponents[static_cast<std::size_t>(phase)];
    if (e.known() && e.exponent - e.uncertainty > linear) phases.push_back(phase);
  }
  return phases;
}

namespace {

// Rows that no repetition has reached have no results.
Scaling interrupted(Scaling scaling) {
  scaling.interrupted = true;
  for (ScaledSeries& series : scaling.series)
    for (ScaledRun& run : series.runs)
      if (run.ok() && run.steps == 0) run.failure = "not run: the study was interrupted before";
  return scaling;
}

}  // namespace

Scaling scale(const ScaleRequest& request, const Catalog& catalog, const ScaleContext& context) {
  Scaling scaling{.request = request, .series = empty_series(request)};
  complete(scaling, catalog);
  if (!request.ranks.empty()) const FolderForAWhile is_there;  // before anything is measured
  const auto base = static_cast<double>(in_own_process([] { return std::string("nothing"); }).peak_bytes);
  const auto rows = static_cast<int>(scaling.series.size() * request.sizes.size());
  if (request.predict) predict(scaling, catalog, base, context.stop);
  std::vector<double> slowest(static_cast<std::size_t>(rows), 0.0);
  int done = 0;
  for (int turn = 0; turn < request.repeat; ++turn) {
    std::size_t row = 0;
    for (ScaledSeries& series : scaling.series)
      for (ScaledRun& run : series.runs) {
        if (context.stop != nullptr && *context.stop) return interrupted(std::move(scaling));
        if (run.ok()) repeat(run, request, scaling.step, catalog, context.stop, base, slowest[row]);
        ++row;
        if (context.progress) context.progress(++done, rows * request.repeat);
      }
  }
  for (ScaledSeries& series : scaling.series) fit(series);
  if (request.scenarios > 0) scale_ensembles(scaling, catalog, context.stop);
  return context.stop != nullptr && *context.stop ? interrupted(std::move(scaling)) : scaling;
}

}  // namespace catena::detail
