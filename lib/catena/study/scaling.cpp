#include <catena/experiment/experiment.hpp>
#include <catena/study/detail/own_process.hpp>
#include <catena/study/detail/scaling.hpp>
#include <catena/study/detail/student.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace catena::detail {
namespace {

using ScaleJson = nlohmann::json;

Scenario scenario_of(const ScaleRequest& request, const ScaledRun& run) {
  Scenario scenario{.problem = request.problem, .parameters = request.parameters};
  scenario.parameters[request.by] = run.size;
  scenario.stepper = run.stepper.name;
  scenario.options = run.stepper.options;
  scenario.backend = run.backend;
  scenario.step = request.step;
  return scenario;
}

// The same, with as many steps as are asked for.
Scenario timed_scenario(const ScaleRequest& request, const ScaledRun& run, double step) {
  Scenario scenario = scenario_of(request, run);
  scenario.step = step;
  scenario.end = request.steps * step;
  scenario.every = request.steps;
  return scenario;
}

std::string measured(const Scenario& scenario, int threads, const Catalog& catalog,
                     const std::atomic<bool>* stop) {
  RunContext context{.settings = {.threads = threads}, .keep_table = false};
  context.listeners.stop = stop;
  const Record record = try_run(scenario, catalog, context);
  const Report& r = record.report;
  const StepperStatistics& s = r.statistics;
  ScaleJson json;
  if (!record.ok()) json["failure"] = r.error.empty() ? termination(r) : r.error;
  json["bodies"] = r.blocks;
  json["rows"] = r.rows;
  json["steps"] = r.run.steps;
  json["iterations"] = s.newton_iterations;
  json["factorizations"] = s.factorizations;
  json["setup"] = r.seconds_build + r.run.seconds_setup;
  json["stepping"] = r.run.seconds_stepping;
  json["evaluate"] = s.seconds_evaluate;
  json["factorize"] = s.seconds_factorize;
  json["solve"] = s.seconds_solve;
  return json.dump(-1, ' ', false, ScaleJson::error_handler_t::replace);
}

std::string why_not_ended(const OwnProcess& process) {
  if (process.signal != 0)
    return fmt::format("its process was killed by signal {} ({}){}", process.signal,
                       ::strsignal(process.signal),
                       process.signal == 9 ? ", as the system does where memory is short" : "");
  return fmt::format("its process ended with exit status {}", process.exit_status);
}

// Takes the repetition into the row where its steps took the least time so far.
void take(ScaledRun& row, const OwnProcess& process, double base_bytes, double& slowest) {
  if (!process.ended()) {
    row.failure = why_not_ended(process);
    return;
  }
  const ScaleJson json = ScaleJson::parse(process.answer);
  row.bodies = json.at("bodies").get<int>();
  row.rows = json.at("rows").get<int>();
  if (json.contains("failure")) {
    row.failure = json.at("failure").get<std::string>();
    return;
  }
  row.steps = json.at("steps").get<long>();
  const double steps = static_cast<double>(std::max(1L, row.steps));
  const double whole = json.at("stepping").get<double>() / steps;
  const double peak = static_cast<double>(process.peak_bytes) - base_bytes;
  row.peak_bytes = std::isnan(row.peak_bytes) ? peak : std::max(row.peak_bytes, peak);
  slowest = std::max(slowest, whole);
  const double before = row.of(Phase::step);
  if (before == 0.0 || whole < before) {
    const auto a_step = [&](const char* key) { return json.at(key).get<double>() / steps; };
    row.iterations = a_step("iterations");
    row.factorizations = a_step("factorizations");
    const double parts = a_step("evaluate") + a_step("factorize") + a_step("solve");
    row.seconds = {a_step("evaluate"),
                   a_step("factorize"),
                   a_step("solve"),
                   std::max(0.0, whole - parts),
                   whole,
                   json.at("setup").get<double>()};
  }
  row.spread = slowest / row.of(Phase::step) - 1.0;
}

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

// What is left empty, and whether every row makes sense; nothing is run.
void complete(Scaling& scaling, const Catalog& catalog) {
  for (ScaledSeries& series : scaling.series)
    for (ScaledRun& run : series.runs) {
      const Scenario whole = completed(scenario_of(scaling.request, run), catalog);
      series.stepper.name = run.stepper.name = whole.stepper;
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

std::vector<Phase> ScaledSeries::more_than_linear() const {
  constexpr double linear = 1.05;  // what the studies of this library call linear
  std::vector<Phase> phases;
  for (const Phase phase : all_phases) {
    const ScalingExponent& e = exponents[static_cast<std::size_t>(phase)];
    if (e.known() && e.exponent - e.uncertainty > linear) phases.push_back(phase);
  }
  return phases;
}

Scaling scale(const ScaleRequest& request, const Catalog& catalog, const ScaleContext& context) {
  Scaling scaling{request, 0.0, empty_series(request)};
  complete(scaling, catalog);
  const auto base = static_cast<double>(in_own_process([] { return std::string("nothing"); }).peak_bytes);
  const auto rows = static_cast<int>(scaling.series.size() * request.sizes.size());
  std::vector<double> slowest(static_cast<std::size_t>(rows), 0.0);
  int done = 0;
  for (int turn = 0; turn < request.repeat; ++turn) {
    std::size_t row = 0;
    for (ScaledSeries& series : scaling.series)
      for (ScaledRun& run : series.runs) {
        if (context.stop != nullptr && *context.stop) {
          scaling.interrupted = true;
          return scaling;
        }
        const Scenario scenario = timed_scenario(request, run, scaling.step);
        if (run.ok())
          take(run, in_own_process([&] { return measured(scenario, run.threads, catalog, context.stop); }),
               base, slowest[row]);
        ++row;
        if (context.progress) context.progress(++done, rows * request.repeat);
      }
  }
  for (ScaledSeries& series : scaling.series) fit(series);
  return scaling;
}

}  // namespace catena::detail
