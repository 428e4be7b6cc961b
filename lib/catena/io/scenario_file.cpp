#include <catena/experiment/detail/number.hpp>
#include <catena/experiment/detail/scenario_members.hpp>
#include <catena/experiment/parts/options.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/io/detail/element_keys.hpp>
#include <catena/io/detail/run_section.hpp>
#include <catena/io/detail/scenario_file.hpp>
#include <catena/math/detail/sha256.hpp>
#include <catena/output/detail/result_set.hpp>

#include <memory>
#include <string>
#include <utility>

namespace catena::detail {
namespace {

bool has_key(const FileNode& map, const std::string& name) {
  for (FileNode key = map.first(); key; key = key.next().next())
    if (key.is_scalar() && key.text() == name) return true;
  return false;
}

// The values of a listing that the map gives, after they were read.
std::vector<OptionValue> given(const FileNode& map, const Visitable& listing) {
  std::vector<OptionValue> values;
  for (OptionValue& value : option_values(listing))
    if (has_key(map, value.name)) values.push_back(std::move(value));
  return values;
}

void read_options_of_stepper(const FileNode& node, const Catalog& catalog, RunOfFile& run,
                             FileErrors& errors) {
  const std::unique_ptr<StepperSetup> setup = catalog.stepper(run.stepper).setup();
  const Visitable listing = [&](OptionVisitor& v) { setup->visit(v); };
  Fields fields(node, "options of " + run.stepper, errors);
  if (!node.is_map()) return;
  read_listed(fields, listing);
  fields.finish();
  run.scenario.options = settings_of(given(node, listing));
}

// The values that the section gives; the others stay empty.
void take_over(const FileNode& node, const RunSection& section, RunOfFile& run) {
  RunSection all = section;
  std::vector<OptionValue> values = given(node, [&](OptionVisitor& v) { visit(v, all); });
  each_member([&](const ScenarioMember& member, auto) {
    for (const OptionValue& value : values)
      if (value.name == member.name) set_member(run.scenario, member.name, to_text(value));
  });
  const auto take = [&](const char* key, auto& to, const auto& from) {
    if (has_key(node, key)) to = from;
  };
  take("threads", run.settings.threads, section.machine.threads);
  take("output", run.settings.output, section.output);
  take("format", run.settings.format, section.results.format);
  take("interval", run.settings.interval, section.results.interval);
  if (has_key(node, "checkpoint")) run.settings.checkpoint = parse_duration(section.checkpoint);
}

// A name of the catalog in a file: the error of the catalog, with the place in the file.
template <class Find>
void look_up(FileErrors& errors, const FileNode& at, Find&& find) {
  try {
    find(std::string(at.text()));
  } catch (const UsageError& error) {
    errors.add(at, error.what());
  }
}

// One section `run`. standard: the stepper without any word on it; empty: unknown.
RunOfFile read_run(const FileNode& node, const std::string& standard, const Catalog& catalog,
                   FileErrors& errors) {
  RunOfFile run{.stepper = standard};
  Fields fields(node, "run", errors);
  if (!node.is_map()) return run;
  RunSection section;
  const Visitable listing = [&](OptionVisitor& v) { visit(v, section); };
  read_listed(fields, listing);
  const FileNode options = fields.take(options_key);
  fields.finish();
  take_over(node, section, run);
  const int before = errors.count();
  if (!section.scenario.stepper.empty()) run.stepper = section.scenario.stepper;
  for (FileNode key = node.first(); key; key = key.next().next()) {
    if (!key.is_scalar() || !key.next().is_scalar()) continue;
    run.places[std::string(key.text())] = place(key.next());
    if (key.next().text().empty()) {  // as from a variable that was not set
      fields.fail(key.next(), std::string(key.text()) + " is empty: give a value, or leave it out");
      continue;
    }
    if (key.text() == "stepper")
      look_up(errors, key.next(), [&](const std::string& name) { catalog.stepper(name); });
    if (key.text() == "stepper" && errors.count() > before) run.stepper.clear();
    if (key.text() == "backend")
      look_up(errors, key.next(), [&](const std::string& name) { catalog.backend(name); });
    if (key.text() == "format")
      if (const std::string defect = results_defect({.format = section.results.format}); !defect.empty())
        errors.add(key.next(), "format: " + defect);
    if (key.text() == "checkpoint" && !parse_duration(section.checkpoint))
      errors.add(key.next(), "checkpoint: a time is a number with s, min, h or nothing (seconds) behind it");
  }
  if (options && !run.stepper.empty()) read_options_of_stepper(options, catalog, run, errors);
  return run;
}

// The problem that a file names, with its parameters; null: there was an error.
std::unique_ptr<Problem> named_problem(const ModelFile& file, const Catalog& catalog, FileErrors& errors) {
  std::unique_ptr<Problem> problem;
  look_up(errors, file.problem, [&](const std::string& name) { problem = catalog.problem(name).make(); });
  if (problem)
    for (const FileNode& set : file.sets) {
      Fields fields(set, "set", errors);
      if (!set.is_map()) continue;
      read_listed(fields, [&](OptionVisitor& v) { problem->visit(v); });
      fields.finish();
    }
  return problem;
}

}  // namespace

ScenarioFile read_scenario_file(const std::string& path, const Catalog& catalog, const Settings& parameters,
                                const ReadLimits& limits) {
  ScenarioFile read;
  OpenedProblem& opened = read.opened;
  const ReadRest rest = [&](const ModelFile& file, FileErrors& errors) {
    std::string stepper = ModelProblem::stepper;
    if (file.problem) {
      opened.problem = named_problem(file, catalog, errors);
      stepper = opened.problem ? opened.problem->defaults().stepper : "";
    }
    for (const FileNode& node : file.runs) {
      opened.runs.push_back(read_run(node, stepper, catalog, errors));
      stepper = opened.runs.back().stepper;
    }
  };
  std::string hashes;
  const LoadFile load = [&](const std::string& name) {
    std::string text = catalog.file_text(name, [&] { return load_file(name, limits.bytes); });
    hashes += sha256(text);
    return text;
  };
  read.file = read_model_file(path, catalog.element_types(), load, limits, rest, parameters);
  opened.files = read.file.files();
  opened.content = sha256(hashes);
  if (read.file.problem) return read;
  std::vector<ObservedPoint> points;
  for (const FilePoint& p : read.file.points) points.push_back({p.name, p.body, p.point});
  for (const AssemblyReport::Move& m : read.file.assembly.moves)
    opened.moved.push_back({read.file.model.body(m.body).name, m.distance, m.turn});
  opened.problem = std::make_unique<ModelProblem>(
      std::move(read.file.model), read.file.title.empty() ? "model file " + path : read.file.title,
      std::move(points), read.file.parameters);
  opened.parameters = settings_of(read.file.parameters);
  return read;
}

}  // namespace catena::detail
