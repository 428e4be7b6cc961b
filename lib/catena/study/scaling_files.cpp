#include <catena/output/detail/csv_table.hpp>
#include <catena/output/detail/figure.hpp>
#include <catena/output/parts/manifest.hpp>
#include <catena/study/detail/scaling_files.hpp>
#include <catena/study/detail/text_file.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace catena::detail {
namespace {

using ScalingJson = nlohmann::ordered_json;

constexpr int scale_version = 1;

std::string key_of(Phase phase) {
  std::string key = name_of(phase);
  std::replace(key.begin(), key.end(), '-', '_');
  return key;
}

ScalingJson json_of(const ScalingExponent& e) {
  if (!e.known()) return nullptr;
  return {{"exponent", e.exponent}, {"uncertainty", e.uncertainty}, {"points", e.points}};
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
  return json;
}

std::string label_of(const ScaledSeries& series) {
  return fmt::format("{}, {}, {} {}", series.stepper.label(), series.backend, series.threads,
                     series.threads == 1 ? "thread" : "threads");
}

Figure figure_of_time(const Scaling& scaling) {
  Figure figure;
  figure.name = "scale_time";
  figure.caption = fmt::format("{}: time of a step of {:g} s", scaling.request.problem, scaling.step);
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
  }
  return figure;
}

Figure figure_of_phases(const Scaling& scaling) {
  Figure figure;
  const ScaledSeries& series = scaling.series.front();
  figure.name = "scale_phases";
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
  json["problem"] = r.problem;
  json["parameters"] = ScalingJson(r.parameters);
  json["by"] = r.by;
  json["step"] = scaling.step;
  json["steps"] = r.steps;
  json["repetitions"] = r.repeat;
  json["interrupted"] = scaling.interrupted;
  json["series"] = ScalingJson::array();
  for (const ScaledSeries& series : scaling.series) {
    ScalingJson one{{"stepper", series.stepper.name},
                    {"options", ScalingJson(series.stepper.options)},
                    {"backend", series.backend},
                    {"threads", series.threads}};
    one["runs"] = ScalingJson::array();
    for (const ScaledRun& run : series.runs) one["runs"].push_back(json_of(run));
    one["exponents"] = ScalingJson::object();
    for (const Phase phase : all_phases)
      one["exponents"][key_of(phase)] = json_of(series.exponents[static_cast<std::size_t>(phase)]);
    one["exponents"]["memory"] = json_of(series.memory);
    json["series"].push_back(std::move(one));
  }
  return json.dump(2) + '\n';
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
  text += ",spread of the time,peak of memory [B]\n";
  for (const ScaledSeries& series : scaling.series)
    for (const ScaledRun& run : series.runs) {
      std::string options = series.stepper.label().substr(series.stepper.name.size());
      if (!options.empty()) options.erase(0, 1);
      text += fmt::format("{},{},{},{},{},{},{},{},{}", csv_cell(series.stepper.name), csv_cell(options),
                          csv_cell(series.backend), series.threads, csv_cell(run.size), run.bodies, run.rows,
                          csv_cell(run.failure), run.steps);
      text += number_cell(run.iterations) + number_cell(run.factorizations);
      for (const Phase phase : all_phases) text += number_cell(run.of(phase));
      text += number_cell(run.spread) + number_cell(run.peak_bytes) + '\n';
    }
  return text;
}

std::string write_scaling(const std::filesystem::path& folder, const Scaling& scaling,
                          const std::string& commit) {
  make_folder(folder);
  write_file(folder / "scale.json", scaling_json(scaling, commit));
  write_file(folder / "scale.csv", scaling_csv(scaling));
  bool drawn = true;
  for (const Figure& figure : {figure_of_time(scaling), figure_of_phases(scaling)})
    if (!figure.curves.empty()) drawn = draw(figure, folder) && drawn;
  return drawn ? "" : "gnuplot is not installed or failed: the pictures are there as data and scripts alone";
}

}  // namespace catena::detail
