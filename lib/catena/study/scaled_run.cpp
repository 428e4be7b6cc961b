#include <catena/experiment/experiment.hpp>
#include <catena/study/detail/own_process.hpp>
#include <catena/study/detail/scaled_run.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace catena::detail {
namespace {

using ScaleJson = nlohmann::json;

std::string measured(const Scenario& scenario, int threads, const Catalog& catalog,
                     const std::atomic<bool>* stop) {
  RunContext context{.settings = {.threads = threads}, .keep_table = false};
  context.listeners.stop = stop;
  const Record record = try_run(scenario, catalog, context);
  const Report& r = record.report;
  const StepperStatistics &all = r.statistics, &before = r.before_steps;
  ScaleJson json;
  if (!record.ok()) json["failure"] = termination(r);
  json["bodies"] = r.blocks;
  json["rows"] = r.rows;
  json["steps"] = r.run.steps;
  json["iterations"] = all.newton_iterations - before.newton_iterations;
  json["factorizations"] = all.factorizations - before.factorizations;
  json["setup"] = r.seconds_build + r.run.seconds_setup;
  json["stepping"] = r.run.seconds_stepping;
  json["evaluate"] = all.seconds_evaluate - before.seconds_evaluate;
  json["factorize"] = all.seconds_factorize - before.seconds_factorize;
  json["solve"] = all.seconds_solve - before.seconds_solve;
  return json.dump(-1, ' ', false, ScaleJson::error_handler_t::replace);
}

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
                   whole - parts,
                   whole,
                   json.at("setup").get<double>()};
  }
  row.spread = slowest / row.of(Phase::step) - 1.0;
}

}  // namespace

Scenario scenario_of(const ScaleRequest& request, const ScaledRun& run) {
  Scenario scenario{.problem = request.problem, .parameters = request.parameters};
  scenario.parameters[request.by] = run.size;
  scenario.stepper = run.stepper.name;
  scenario.options = run.stepper.options;
  scenario.backend = run.backend;
  scenario.step = request.step;
  return scenario;
}

Scenario timed_scenario(const ScaleRequest& request, const ScaledRun& run, double step) {
  Scenario scenario = scenario_of(request, run);
  scenario.step = step;
  scenario.end = request.steps * step;
  scenario.every = request.steps;
  return scenario;
}

std::string why_not_ended(const OwnProcess& process) {
  if (process.signal != 0)
    return fmt::format("its process was killed by signal {} ({}){}", process.signal,
                       ::strsignal(process.signal),
                       process.signal == 9 ? ", as the system does where memory is short" : "");
  return fmt::format("its process ended with exit status {}", process.exit_status);
}

void repeat(ScaledRun& run, const ScaleRequest& request, double step, const Catalog& catalog,
            const std::atomic<bool>* stop, double base_bytes, double& slowest) {
  const Scenario scenario = timed_scenario(request, run, step);
  take(run, in_own_process([&] { return measured(scenario, run.threads, catalog, stop); }), base_bytes,
       slowest);
}

}  // namespace catena::detail
