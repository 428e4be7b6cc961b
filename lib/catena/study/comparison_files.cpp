#include <catena/experiment/parts/usage_error.hpp>
#include <catena/output/detail/csv_table.hpp>
#include <catena/output/detail/figure.hpp>
#include <catena/output/parts/manifest.hpp>
#include <catena/study/detail/comparison_files.hpp>
#include <catena/study/detail/text_file.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <limits>
#include <set>
#include <utility>

namespace catena::detail {
namespace {

using CompareJson = nlohmann::ordered_json;
using ReadJson = nlohmann::json;  // equal whatever the order of the keys

constexpr int compare_version = 1;
constexpr double not_known = std::numeric_limits<double>::quiet_NaN();  // null in JSON, an empty cell in CSV

// "angular_velocity"
std::string key_of(Part part, bool own) {
  std::string key = name_of(part, own);
  for (char& c : key)
    if (c == ' ') c = '_';
  return key;
}

CompareJson json_of(const Errors& errors, bool own) {
  CompareJson json = CompareJson::object();
  for (const Part part : all_parts)
    if (!own || (part != Part::rotation && part != Part::angular_velocity))
      json[key_of(part, own)] = errors[part];
  return json;
}

CompareJson json_of(const ComparedStepper& stepper) {
  return {{"name", stepper.name}, {"options", CompareJson(stepper.options)}};
}

CompareJson json_of(const CompareRequest& r) {
  CompareJson json{{"problems", r.problems}, {"parameters", CompareJson(r.parameters)}};
  if (r.end) json["end"] = *r.end;
  json["steppers"] = CompareJson::array();
  for (const ComparedStepper& stepper : r.steppers) json["steppers"].push_back(json_of(stepper));
  json["vary"] = CompareJson(r.vary);
  json["steps"] = r.steps;
  json["tolerances"] = r.tolerances;
  json["plain"] = r.plain;
  json["repeat"] = r.repeat;
  json["add"] = r.add;
  json["peers"] = r.peers;
  return json;
}

CompareJson json_of(const ReferenceMotion& reference, bool own) {
  CompareJson json{{"method", reference.method}, {"checked_by", reference.checked}};
  json["estimate"] = json_of(reference.estimate, own);
  json["estimate_at_end"] = json_of(reference.estimate_at_end, own);
  json["not_compared"] = CompareJson::array();
  for (const std::string& why : reference.refused)
    if (!why.empty()) json["not_compared"].push_back(why);
  json["notes"] = reference.notes;
  json["from_published_digits_m"] = reference.published;
  return json;
}

CompareJson json_of(const ComparedRun& run, bool own) {
  CompareJson json{{"stepper", run.stepper.name},
                   {"options", CompareJson(run.stepper.options)},
                   {"key", run.key},
                   {"guards", run.guards},
                   {run.controlled ? "tolerance" : "step", run.setting == 0.0 ? not_known : run.setting},
                   {"mean_step", run.mean_step},
                   {"status", run.status},
                   {"failure", run.failure},
                   {"remarks", run.remarks}};
  json["largest_error"] = json_of(run.largest, own);
  json["error_at_end"] = json_of(run.at_end, own);
  if (run.controlled) json["error_over_tolerance"] = run.over_tolerance;
  json["position_residual"] = run.position;
  json["velocity_residual"] = run.velocity;
  json["acceleration_residual"] = run.acceleration;
  json["energy_error"] = run.energy;
  json["momentum_drift"] = run.angular_momentum;
  json["linear_momentum_drift"] = run.linear_momentum;
  json["steps"] = run.steps;
  json["rejected_steps"] = run.rejected;
  json["newton_iterations"] = run.newton_iterations;
  json["factorizations"] = run.factorizations;
  json["unknowns"] = run.unknowns > 0 ? CompareJson(run.unknowns) : CompareJson(nullptr);
  json["seconds"] = run.seconds;
  json["undisturbed_seconds"] = run.undisturbed;
  json["heap_bytes"] = run.heap;
  return json;
}

CompareJson json_of(const ComparedOrders& orders, bool own) {
  CompareJson json = json_of(orders.stepper);
  json["over"] = orders.controlled ? "tolerance" : "step";
  for (const Part part : all_parts) {
    const auto p = static_cast<std::size_t>(part);
    const FittedOrder& f = orders.fitted[p];
    if (own && (part == Part::rotation || part == Part::angular_velocity)) continue;
    CompareJson one{{"promised", orders.promised[p]}, {"points", f.points}};
    if (f.known()) {
      one["errors"] = orders.of_end[p] ? "at_end" : "largest";
      one["order"] = f.order;
      one["uncertainty"] = f.uncertainty;
      one["coarsest"] = f.coarsest;
      one["finest"] = f.finest;
    } else {
      one["why_none"] = f.why_none;
    }
    json[key_of(part, own)] = std::move(one);
  }
  return json;
}

CompareJson json_of(const ForeignRun& run, bool own) {
  CompareJson json{
      {"code", run.code}, {"setting", run.setting}, {"steps", run.steps}, {"seconds", run.seconds}};
  json["instants"] = run.instants;
  json["largest_error"] = json_of(run.largest, own);
  json["error_at_end"] = json_of(run.at_end, own);
  return json;
}

CompareJson json_of(const ProblemComparison& p) {
  CompareJson json{{"problem", p.problem}, {"parameters", CompareJson::object()}};
  for (const OptionValue& parameter : p.parameters) json["parameters"][parameter.name] = to_text(parameter);
  json["end"] = p.end;
  json["instants"] = p.instants.size();
  json["momentum_about"] = p.about;
  json["momentum_along"] = p.along;
  json["momentum_kept_by"] = p.kept_by_reference ? "reference" : "problem";
  json["reference"] = json_of(p.reference, p.own);
  json["runs"] = json["orders"] = json["other_codes"] = CompareJson::array();
  for (const ComparedRun& run : p.runs) json["runs"].push_back(json_of(run, p.own));
  for (const ComparedOrders& orders : p.orders) json["orders"].push_back(json_of(orders, p.own));
  for (const ForeignRun& run : p.foreign) json["other_codes"].push_back(json_of(run, p.own));
  json["peers_not_compared"] = p.not_compared;
  return json;
}

ReadJson json_in(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / comparison_file;
  const auto refuse = [&](const std::string& why) {
    throw UsageError(fmt::format("--again {}: {} {}", folder.string(), file.string(), why));
  };
  std::ifstream stream(file);
  if (!stream) refuse("cannot be read; it is the folder that compare --output has written to");
  try {
    ReadJson json = ReadJson::parse(stream);
    if (json.at("catena_compare").get<int>() != compare_version) refuse("is of another version");
    return json;
  } catch (const ReadJson::exception& error) {
    refuse(std::string("holds no comparison: ") + error.what());
  }
  return {};
}

std::string axis_title(const std::string& what, const char* unit) {
  return *unit == '\0' ? what : fmt::format("{} [{}]", what, unit);
}

// Systems in their own coordinates have these in units of their own, in a column without a unit.
bool has_own_column(Part part) { return part == Part::position || part == Part::velocity; }

constexpr const char* table_file = "compare.csv";
constexpr Part drawn_parts[] = {Part::position, Part::velocity, Part::multipliers};

std::string figure_name(const std::string& problem, std::size_t number, Part part, bool own, bool over_time) {
  return fmt::format("{}_{}_{}_over_{}", number + 1,
                     file_name(std::filesystem::path(problem).stem().string()), key_of(part, own),
                     over_time ? "time" : "step");
}

Figure figure_of(const ProblemComparison& p, Part part, bool over_time, std::size_t number) {
  Figure figure;
  figure.name = figure_name(p.problem, number, part, p.own, over_time);
  figure.caption = fmt::format("{}, t = {:g} s: largest error of {}, against {}", p.problem, p.end,
                               name_of(part, p.own), p.reference.method);
  figure.x_label = over_time ? "time in stepping [s]" : "mean step [s]";
  figure.y_label = axis_title(name_of(part, p.own), unit_of(part, p.own));
  figure.log_x = figure.log_y = true;
  for (const ComparedRun& run : p.runs) {
    if (!run.ok() || !(run.largest[part] > 0.0) || run.steps == 0) continue;
    const std::string label = run.stepper.label();
    if (figure.curves.empty() || figure.curves.back().label != label) figure.curves.push_back({label});
    figure.curves.back().x.push_back(over_time ? run.fastest() : run.mean_step);
    figure.curves.back().y.push_back(run.largest[part]);
  }
  for (const ForeignRun& run : p.foreign) {
    const double mean_step = run.steps > 0 ? (p.end - p.begin) / static_cast<double>(run.steps) : 0.0;
    const double x = over_time ? run.seconds : mean_step;
    if (!(run.largest[part] > 0.0) || !(x > 0.0)) continue;
    if (figure.curves.empty() || figure.curves.back().label != run.code) figure.curves.push_back({run.code});
    figure.curves.back().x.push_back(x);
    figure.curves.back().y.push_back(run.largest[part]);
  }
  return figure;
}

}  // namespace

std::string comparison_json(const CompareRequest& request, const std::vector<ProblemComparison>& problems,
                            const Catalog& catalog) {
  CompareJson json{{"catena_compare", compare_version}, {"manifest", CompareJson::object()}};
  for (const auto& [name, value] : machine_entries(catalog.commit())) json["manifest"][name] = value;
  json["request"] = json_of(request);
  json["interrupted"] =
      problems.size() < request.problems.size() ||
      std::any_of(problems.begin(), problems.end(), [](const ProblemComparison& p) { return p.interrupted; });
  json["problems"] = CompareJson::array();
  for (const ProblemComparison& p : problems) json["problems"].push_back(json_of(p));
  return json.dump(1) + '\n';
}

std::string comparison_csv(const std::vector<ProblemComparison>& problems) {
  std::string text = "problem,stepper,options,guards,step [s],tolerance,status";
  for (const char* when : {"largest", "at the end"})
    for (const Part part : all_parts) {
      // Multipliers of one row may have several units.
      const char* unit = part == Part::multipliers ? "" : unit_of(part, false);
      text += ',' + axis_title(fmt::format("{} error {}", name_of(part, false), when), unit);
      if (has_own_column(part)) text += fmt::format(",{} error {}", name_of(part, true), when);
    }
  text +=
      ",error over tolerance,position residual [m or rad],velocity residual [m/s or rad/s],acceleration "
      "residual [m/s^2 or "
      "rad/s^2],"
      "energy error [J],momentum drift [kg m^2/s],linear momentum drift [kg m/s],steps,mean step "
      "[s],rejected steps,newton "
      "iterations,factorizations,unknowns,memory [bytes],"
      "time [s],spread of the time,repetitions,remarks\n";
  for (const ProblemComparison& p : problems)
    for (const ComparedRun& run : p.runs) {
      text += csv_cell(p.problem) + ',' + csv_cell(run.stepper.name) + ',' +
              csv_cell(run.stepper.options_text()) + ',' + run.guards;
      text += run.controlled || run.setting == 0.0 ? "," : number_cell(run.setting);
      text += run.controlled && run.setting != 0.0 ? number_cell(run.setting) : ",";
      text += ',' + csv_cell(run.ok() ? "ok" : run.failure);
      for (const Errors* errors : {&run.largest, &run.at_end})
        for (const Part part : all_parts) {
          const std::string cell = number_cell((*errors)[part]);
          text += !has_own_column(part) ? cell : p.own ? ',' + cell : cell + ',';
        }
      for (const double value : {run.over_tolerance, run.position, run.velocity, run.acceleration, run.energy,
                                 run.angular_momentum, run.linear_momentum})
        text += number_cell(value);
      text += ',' + std::to_string(run.steps) + number_cell(run.mean_step);
      for (const long count : {run.rejected, run.newton_iterations, run.factorizations})
        text += ',' + std::to_string(count);
      text += run.unknowns > 0 ? ',' + std::to_string(run.unknowns) : ",";
      text += number_cell(run.heap) + number_cell(run.fastest()) + number_cell(run.spread()) + ',' +
              std::to_string(run.seconds.size()) + ',' + csv_cell(run.remarks) + '\n';
    }
  return text;
}

std::vector<std::string> comparison_names(const std::vector<std::string>& problems) {
  std::set<std::string> names{comparison_file, table_file};
  for (std::size_t k = 0; k < problems.size(); ++k)
    for (const Part part : drawn_parts)
      for (const bool own : {false, true})
        for (const bool over_time : {false, true})
          for (std::string& file : figure_files(figure_name(problems[k], k, part, own, over_time)))
            names.insert(std::move(file));
  return {names.begin(), names.end()};
}

std::string write_comparison(const std::filesystem::path& folder, const CompareRequest& request,
                             const std::vector<ProblemComparison>& problems, const Catalog& catalog) {
  std::vector<std::string> names{comparison_file, table_file};
  std::vector<Figure> figures;
  for (std::size_t k = 0; k < problems.size(); ++k)
    for (const Part part : drawn_parts)
      for (const bool over_time : {false, true})
        if (Figure figure = figure_of(problems[k], part, over_time, k); !figure.curves.empty()) {
          for (std::string& file : figure_files(figure.name)) names.push_back(std::move(file));
          figures.push_back(std::move(figure));
        }
  std::vector<std::string> earlier;  // pictures of other problems than these
  if (std::error_code none; std::filesystem::exists(folder / comparison_file, none))
    earlier = comparison_names(earlier_request(folder).problems);
  claim_files(folder, names);
  write_file(folder / comparison_file, comparison_json(request, problems, catalog));
  write_file(folder / table_file, comparison_csv(problems));
  bool drawn = true;
  for (const Figure& figure : figures) drawn = draw(figure, folder) && drawn;
  remove_others(folder, earlier, names);
  return drawn ? "" : "gnuplot is not installed or failed: the pictures are there as data and scripts alone";
}

bool same_request(const CompareRequest& a, const CompareRequest& b) { return json_of(a) == json_of(b); }

CompareRequest earlier_request(const std::filesystem::path& folder) {
  const ReadJson all = json_in(folder);
  CompareRequest r;
  try {
    const ReadJson& json = all.at("request");
    r.problems = json.at("problems").get<std::vector<std::string>>();
    r.parameters = json.at("parameters").get<Settings>();
    if (json.contains("end")) r.end = json.at("end").get<double>();
    for (const ReadJson& stepper : json.at("steppers"))
      r.steppers.push_back({stepper.at("name").get<std::string>(), stepper.at("options").get<Settings>()});
    r.vary = json.at("vary").get<std::map<std::string, std::vector<std::string>>>();
    r.steps = json.at("steps").get<std::vector<double>>();
    r.tolerances = json.at("tolerances").get<std::vector<double>>();
    r.plain = json.at("plain").get<bool>();
    r.repeat = json.at("repeat").get<int>();
    r.add = json.at("add").get<std::vector<std::string>>();
    r.peers = json.value("peers", r.peers);
  } catch (const ReadJson::exception& error) {
    throw UsageError(
        fmt::format("--again {}: {} holds no request: {}", folder.string(), comparison_file, error.what()));
  }
  return r;
}

std::string compared_with_earlier(const std::filesystem::path& folder,
                                  const std::vector<ProblemComparison>& problems) {
  const ReadJson before = json_in(folder);
  std::size_t rows = 0, others = 0, not_then = 0;
  std::string first;
  for (std::size_t k = 0; k < problems.size(); ++k) {
    const ProblemComparison& p = problems[k];
    const ReadJson earlier =
        k < before.at("problems").size() ? before.at("problems").at(k).at("runs") : ReadJson();
    for (std::size_t i = 0; i < p.runs.size(); ++i) {
      if (i >= earlier.size() ||
          earlier.at(i).at("status").get<std::string>().starts_with(interrupted_status)) {
        ++not_then;
        continue;
      }
      ++rows;
      // through text, where numbers that are not known are null
      const ReadJson now = ReadJson::parse(json_of(p.runs[i], p.own).dump());
      const auto same = [&](const char* key) { return now.at(key) == earlier.at(i).at(key); };
      if (same("key") && same("status") && same("largest_error") && same("error_at_end")) continue;
      if (others++ == 0)
        first = fmt::format("{}, {}{}", p.problem, p.runs[i].stepper.label(),
                            same("key") ? "" : ", which is another scenario now");
    }
  }
  const std::string where = folder.string();
  if (rows == 0 && not_then > 0)
    return fmt::format("none of the {} rows was run to the end in {}", not_then, where);
  const std::string which = not_then == 0 ? "" : " that both have run";
  std::string text = others == 0
                         ? fmt::format("all {} rows{} have the errors of {}, bit for bit", rows, which, where)
                         : fmt::format("{} of {} rows{} have other errors than in {}: the first is {}",
                                       others, rows, which, where, first);
  if (not_then > 0)
    text += fmt::format("; {} {} not run to the end then", not_then, not_then == 1 ? "row was" : "rows were");
  return text;
}

}  // namespace catena::detail
