#include <catena/experiment/parts/usage_error.hpp>
#include <catena/output/detail/csv_table.hpp>
#include <catena/output/detail/figure.hpp>
#include <catena/output/parts/manifest.hpp>
#include <catena/study/detail/scaling_files.hpp>
#include <catena/study/detail/text_file.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <limits>

namespace catena::detail {
namespace {

using ScalingJson = nlohmann::ordered_json;

constexpr int scale_version = 1;
constexpr const char *json_file = "scale.json", *csv_file = "scale.csv", *ensembles_file = "ensembles.csv";
constexpr const char *time_figure = "scale_time", *phases_figure = "scale_phases",
                     *speed_up_figure = "scale_speed_up", *ensembles_figure = "scale_ensembles";

std::string key_of(Phase phase) {
  std::string key = name_of(phase);
  std::replace(key.begin(), key.end(), '-', '_');
  return key;
}

ScalingJson json_of(const ScaleRequest& r) {
  ScalingJson json{{"problem", r.problem},
                   {"parameters", ScalingJson(r.parameters)},
                   {"by", r.by},
                   {"sizes", r.sizes},
                   {"steppers", ScalingJson::array()},
                   {"backends", r.backends},
                   {"threads", r.threads},
                   {"steps", r.steps},
                   {"repeat", r.repeat},
                   {"scenarios", r.scenarios},
                   {"ranks", r.ranks}};
  for (const ComparedStepper& stepper : r.steppers)
    json["steppers"].push_back({{"name", stepper.name}, {"options", ScalingJson(stepper.options)}});
  if (r.step) json["step"] = *r.step;
  return json;
}

ScalingJson json_of(const ScalingExponent& e) {
  if (!e.known()) return nullptr;
  return {{"exponent", e.exponent}, {"uncertainty", e.uncertainty}, {"points", e.points}};
}

ScalingJson json_of(const Prediction& p) {
  if (!p.known()) return {{"why_not", p.why_not}};
  ScalingJson json = ScalingJson::object();
  for (const Phase phase : all_phases)
    if (phase != Phase::setup) json["seconds_" + key_of(phase) + "_per_step"] = p.of(phase);
  json["peak_bytes"] = p.peak_bytes;
  json["speed_up"] = ScalingJson::array();
  for (const SpeedUp& s : p.speed_ups)
    json["speed_up"].push_back({{"cores", s.cores}, {"elimination", s.elimination}, {"step", s.step}});
  return json;
}

ScalingJson json_of(const EnsembleSeries& series) {
  ScalingJson json{{"stepper", series.stepper.name}, {"options", ScalingJson(series.stepper.options)},
                   {"backend", series.backend},      {"size", series.size},
                   {"bodies", series.bodies},        {"failure", series.failure},
                   {"no_ranks", series.no_ranks}};
  json["runs"] = ScalingJson::array();
  for (const EnsembleRun& run : series.runs)
    json["runs"].push_back({{"over", name_of(run.kind)},
                            {"workers", run.workers},
                            {"seconds_strong", run.strong},
                            {"efficiency_strong", run.strong_efficiency},
                            {"seconds_weak", run.weak},
                            {"efficiency_weak", run.weak_efficiency}});
  return json;
}

ScalingJson json_of(const ScaledRun& run) {
  ScalingJson json{{"size", run.size},
                   {"bodies", run.bodies},
                   {"rows", run.rows},
                   {"failure", run.failure},
                   {"steps", run.steps},
                   {"newton_iterations_per_step", run.iterations},
                   {"factorizations_per_step", run.factorizations}};
  for (const Phase phase : all_phases)
    json["seconds_" + key_of(phase) + (phase == Phase::setup ? "" : "_per_step")] = run.of(phase);
  json["seconds_spread"] = run.spread;
  json["peak_bytes"] = run.peak_bytes;
  json["factor_flops"] = run.work.flops;
  json["solver_bytes"] = run.work.solver_bytes();
  json["predicted"] = json_of(run.predicted);
  return json;
}

// Strong and weak, over threads, processes and ranks, of the largest size that reached its end.
Figure figure_of_ensembles(const Scaling& scaling) {
  Figure figure;
  figure.name = ensembles_figure;
  figure.caption = fmt::format("{}: ensembles of {} scenarios, and of as many a worker",
                               scaling.request.problem, scaling.request.scenarios);
  figure.x_label = "workers";
  figure.y_label = "efficiency";
  for (const Workers kind : all_workers)
    for (const bool weak : {false, true}) {
      Curve curve;
      for (const EnsembleSeries& series : scaling.ensembles) {
        if (series.runs.empty()) continue;
        curve = Curve{fmt::format("{}, {}, {} bodies: {}, {}", series.stepper.label(), series.backend,
                                  series.bodies, weak ? "weak" : "strong", name_of(kind))};
        for (const EnsembleRun& run : series.runs) {
          if (run.kind != kind) continue;
          curve.x.push_back(run.workers);
          curve.y.push_back(weak ? run.weak_efficiency : run.strong_efficiency);
        }
      }
      if (!curve.x.empty()) figure.curves.push_back(std::move(curve));
    }
  return figure;
}

std::string label_of(const ScaledSeries& series) {
  return fmt::format("{}, {}, {} {}", series.stepper.label(), series.backend, series.threads,
                     series.threads == 1 ? "thread" : "threads");
}

Figure figure_of_time(const Scaling& scaling) {
  Figure figure;
  figure.name = time_figure;
  figure.caption = scaling.any_chooses_step()
                       ? fmt::format("{}: time of a step in runs of {:g} s", scaling.request.problem,
                                     scaling.time_of_run())
                       : fmt::format("{}: time of a step of {:g} s", scaling.request.problem, scaling.step);
  figure.x_label = "bodies";
  figure.y_label = "time of a step and body [ns]";
  figure.log_x = figure.log_y = true;
  for (const ScaledSeries& series : scaling.series) {
    Curve curve{label_of(series)};
    for (const ScaledRun& run : series.runs) {
      if (!run.ok() || run.bodies == 0) continue;
      curve.x.push_back(run.bodies);
      curve.y.push_back(run.of(Phase::step) / run.bodies * 1e9);
    }
    if (!curve.x.empty()) figure.curves.push_back(std::move(curve));
    Curve predicted{label_of(series) + ", predicted"};
    predicted.points = true;
    for (const ScaledRun& run : series.runs) {
      if (!run.predicted.known() || run.work.bodies == 0) continue;
      predicted.x.push_back(run.work.bodies);
      predicted.y.push_back(run.predicted.of(Phase::step) / run.work.bodies * 1e9);
    }
    if (!predicted.x.empty()) figure.curves.push_back(std::move(predicted));
  }
  return figure;
}

// Of the largest size of each method and back end, and what was measured with several threads.
Figure figure_of_speed_up(const Scaling& scaling) {
  Figure figure;
  figure.name = speed_up_figure;
  figure.caption = fmt::format("{}: speed-up against one core", scaling.request.problem);
  figure.x_label = "cores";
  figure.y_label = "speed-up";
  figure.log_x = figure.log_y = true;
  for (const ScaledSeries& series : scaling.series) {
    const ScaledRun& run = series.runs.back();
    if (series.threads != scaling.request.threads.front() || !run.predicted.known()) continue;
    const std::string label =
        fmt::format("{}, {}, {} bodies", series.stepper.label(), series.backend, run.work.bodies);
    Curve elimination{label + ": elimination, predicted", {1.0}, {1.0}};
    Curve step{label + ": step, predicted", {1.0}, {1.0}};
    for (const SpeedUp& s : run.predicted.speed_ups) {
      elimination.x.push_back(s.cores);
      elimination.y.push_back(s.elimination);
      step.x.push_back(s.cores);
      step.y.push_back(s.step);
    }
    figure.curves.push_back(std::move(elimination));
    figure.curves.push_back(std::move(step));
    Curve measured{label + ": step, measured"};
    measured.points = true;
    for (const ScaledSeries& other : scaling.series) {
      if (!(other.stepper == series.stepper) || other.backend != series.backend || series.threads != 1)
        continue;
      if (!other.runs.back().ok() || !run.ok()) continue;
      measured.x.push_back(other.threads);
      measured.y.push_back(run.of(Phase::step) / other.runs.back().of(Phase::step));
    }
    if (measured.x.size() > 1) figure.curves.push_back(std::move(measured));
  }
  return figure;
}

Figure figure_of_phases(const Scaling& scaling) {
  Figure figure;
  const ScaledSeries& series = scaling.series.front();
  figure.name = phases_figure;
  figure.caption =
      fmt::format("{}, {}: time of the phases of a step", scaling.request.problem, label_of(series));
  figure.x_label = "bodies";
  figure.y_label = "time of a step and body [ns]";
  figure.log_x = figure.log_y = true;
  for (const Phase phase : all_phases) {
    if (phase == Phase::setup) continue;
    Curve curve{name_of(phase)};
    for (const ScaledRun& run : series.runs) {
      if (!run.ok() || run.bodies == 0 || !(run.of(phase) > 0.0)) continue;
      curve.x.push_back(run.bodies);
      curve.y.push_back(run.of(phase) / run.bodies * 1e9);
    }
    if (!curve.x.empty()) figure.curves.push_back(std::move(curve));
  }
  return figure;
}

}  // namespace

std::string scaling_json(const Scaling& scaling, const std::string& commit) {
  const ScaleRequest& r = scaling.request;
  ScalingJson json{{"catena_scale", scale_version}, {"manifest", ScalingJson::object()}};
  for (const auto& [name, value] : machine_entries(commit)) json["manifest"][name] = value;
  json["request"] = json_of(r);
  json["problem"] = r.problem;
  json["parameters"] = ScalingJson(r.parameters);
  json["by"] = r.by;
  json["step"] = scaling.step;
  json["steps"] = r.steps;
  json["repetitions"] = r.repeat;
  json["interrupted"] = scaling.interrupted;
  json["memory"] = ScalingJson::array();
  for (const MemoryPrice& price : scaling.memory_prices)
    json["memory"].push_back({{"bytes", price.bytes}, {"seconds_per_byte", price.seconds_per_byte}});
  json["series"] = ScalingJson::array();
  for (const ScaledSeries& series : scaling.series) {
    ScalingJson one{{"stepper", series.stepper.name},
                    {"options", ScalingJson(series.stepper.options)},
                    {"backend", series.backend},
                    {"threads", series.threads},
                    {"chooses_step", series.chooses_step}};
    one["runs"] = ScalingJson::array();
    for (const ScaledRun& run : series.runs) one["runs"].push_back(json_of(run));
    one["exponents"] = ScalingJson::object();
    for (const Phase phase : all_phases)
      one["exponents"][key_of(phase)] = json_of(series.exponents[static_cast<std::size_t>(phase)]);
    one["exponents"]["memory"] = json_of(series.memory);
    json["series"].push_back(std::move(one));
  }
  if (r.scenarios > 0) {
    json["scenarios"] = r.scenarios;
    json["ensembles"] = ScalingJson::array();
    for (const EnsembleSeries& series : scaling.ensembles) json["ensembles"].push_back(json_of(series));
  }
  return json.dump(2) + '\n';
}

std::string ensembles_csv(const Scaling& scaling) {
  std::string text = fmt::format(
      "stepper,options,back end,{},bodies,failure,over,workers,strong [s],strong efficiency,weak [s],weak "
      "efficiency\n",
      csv_cell(scaling.request.by));
  for (const EnsembleSeries& series : scaling.ensembles) {
    const std::string head =
        fmt::format("{},{},{},{},{}", csv_cell(series.stepper.name), csv_cell(series.stepper.options_text()),
                    csv_cell(series.backend), csv_cell(series.size), series.bodies);
    if (series.runs.empty()) text += fmt::format("{},{},,,,,,\n", head, csv_cell(series.failure));
    for (const EnsembleRun& run : series.runs)
      text += fmt::format("{},{},{},{}", head, csv_cell(series.failure), name_of(run.kind), run.workers) +
              number_cell(run.strong) + number_cell(run.strong_efficiency) + number_cell(run.weak) +
              number_cell(run.weak_efficiency) + '\n';
  }
  return text;
}

std::string scaling_csv(const Scaling& scaling) {
  std::string text = fmt::format(
      "stepper,options,back end,threads,{},bodies,rows,failure,steps,newton iterations a step,"
      "factorizations a step",
      csv_cell(scaling.request.by));
  for (const Phase phase : all_phases)
    text += fmt::format(",{}{} [s]", name_of(phase),
                        phase == Phase::setup  ? ""
                        : phase == Phase::step ? ""
                                               : " in a step");
  text +=
      ",spread of the time,peak of memory [B],predicted step [s],predicted peak of memory [B],factor [flop]";
  for (const int cores : predicted_cores)
    text += fmt::format(",predicted speed-up of a step on {0} cores,of the elimination on {0} cores", cores);
  text += '\n';
  for (const ScaledSeries& series : scaling.series)
    for (const ScaledRun& run : series.runs) {
      text += fmt::format("{},{},{},{},{},{},{},{},{}", csv_cell(series.stepper.name),
                          csv_cell(series.stepper.options_text()), csv_cell(series.backend), series.threads,
                          csv_cell(run.size), run.bodies, run.rows, csv_cell(run.failure), run.steps);
      text += number_cell(run.iterations) + number_cell(run.factorizations);
      for (const Phase phase : all_phases) text += number_cell(run.of(phase));
      text += number_cell(run.spread) + number_cell(run.peak_bytes);
      const bool known = run.predicted.known();
      const double none = std::numeric_limits<double>::quiet_NaN();
      text += number_cell(known ? run.predicted.of(Phase::step) : none) +
              number_cell(run.predicted.peak_bytes) +
              number_cell(run.work.flops > 0.0 ? run.work.flops : none);
      for (std::size_t k = 0; k < predicted_cores.size(); ++k)
        text += number_cell(known ? run.predicted.speed_ups[k].step : none) +
                number_cell(known ? run.predicted.speed_ups[k].elimination : none);
      text += '\n';
    }
  return text;
}

std::vector<std::string> scaling_names() {
  std::vector<std::string> names{json_file, csv_file, ensembles_file};
  for (const char* figure : {time_figure, phases_figure, speed_up_figure, ensembles_figure})
    for (std::string& file : figure_files(figure)) names.push_back(std::move(file));
  return names;
}

void refuse_other_scaling(const std::filesystem::path& folder, const ScaleRequest& request, bool replaced) {
  std::ifstream stream(folder / json_file);
  if (!stream) return;
  const ScalingJson there = ScalingJson::parse(stream, nullptr, false);
  if (!there.is_object() || !there.contains("catena_scale"))
    throw UsageError(fmt::format("--output {}: {} is no scaling study of Catena's: name another folder",
                                 folder.string(), (folder / json_file).string()));
  if (replaced || (there.contains("request") && there.at("request") == json_of(request))) return;
  const bool named = there.contains("problem") && there.at("problem").is_string();
  throw UsageError(
      fmt::format("--output {}: the folder holds another scaling study{}; name another folder, or replace it "
                  "with --overwrite",
                  folder.string(), named ? ", of " + there.at("problem").get<std::string>() : ""));
}

std::string write_scaling(const std::filesystem::path& folder, const Scaling& scaling,
                          const std::string& commit) {
  std::vector<std::string> written{json_file, csv_file};
  claim_files(folder, scaling_names());
  write_file(folder / json_file, scaling_json(scaling, commit));
  write_file(folder / csv_file, scaling_csv(scaling));
  if (!scaling.ensembles.empty()) {
    write_file(folder / ensembles_file, ensembles_csv(scaling));
    written.emplace_back(ensembles_file);
  }
  bool drawn = true;
  for (const Figure& figure : {figure_of_time(scaling), figure_of_phases(scaling),
                               figure_of_speed_up(scaling), figure_of_ensembles(scaling)})
    if (!figure.curves.empty()) {
      drawn = draw(figure, folder) && drawn;
      for (std::string& file : figure_files(figure.name)) written.push_back(std::move(file));
    }
  remove_others(folder, scaling_names(), written);  // of a study before
  return drawn ? "" : "gnuplot is not installed or failed: the pictures are there as data and scripts alone";
}

}  // namespace catena::detail
