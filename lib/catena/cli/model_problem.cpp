#include <catena/cli/model_problem.hpp>
#include <catena/cli/number.hpp>
#include <catena/cli/options.hpp>
#include <catena/cli/run_section.hpp>
#include <catena/cli/usage_error.hpp>
#include <catena/io/element_keys.hpp>
#include <catena/output/result_set.hpp>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace catena {
namespace {

const char* const stepper_of_files = "generalized_alpha";

// A model as it stands in a file. It takes the model out of what was read, whose text need not live as long.
class FileProblem final : public Problem {
 public:
  FileProblem(const std::string& path, ModelFile& file)
      : model_(std::move(file.model)), summary_(file.title.empty() ? "model file " + path : file.title) {
    for (const FilePoint& p : file.points) points_.push_back({p.name, p.body, p.point});
  }

  std::string summary() const override { return summary_; }
  void visit(OptionVisitor&) override {}
  Model model() const override { return model_; }
  ProblemDefaults defaults() const override {
    return {stepper_of_files, RunOptions{}.step, RunOptions{}.end};
  }
  std::vector<ObservedPoint> observed_points() const override { return points_; }

 private:
  Model model_;
  std::string summary_;
  std::vector<ObservedPoint> points_;
};

// Where each key of the section goes; false: the command line has said it already.
void fill(std::string& into, const std::string& text) {
  if (into.empty()) into = text;
}
void fill(std::optional<std::string>& into, const std::string& text) {
  if (!into) into = text;
}
void fill(RunRequest& request, const std::string& key, const std::string& text) {
  if (key == "stepper") fill(request.stepper, text);
  if (key == "step") fill(request.step, text);
  if (key == "end") fill(request.end, text);
  if (key == "every") fill(request.every, text);
  if (key == "backend") fill(request.backend, text);
  if (key == "threads") fill(request.threads, text);
  if (key == "output") fill(request.output, text);
  if (key == "format") fill(request.format, text);
  if (key == "interval") fill(request.interval, text);
  if (key == "checkpoint") fill(request.checkpoint, text);
}

bool has_key(const FileNode& map, const std::string& name) {
  for (FileNode key = map.first(); key; key = key.next().next())
    if (key.is_scalar() && key.text() == name) return true;
  return false;
}

// name=value of a listing that stand in the map, after they were read.
std::vector<OptionValue> given(const FileNode& map, const Visitable& listing) {
  std::vector<OptionValue> values;
  for (OptionValue& value : option_values(listing))
    if (has_key(map, value.name)) values.push_back(std::move(value));
  return values;
}

bool assigns(const std::vector<std::string>& assignments, const std::string& name) {
  return std::any_of(assignments.begin(), assignments.end(),
                     [&](const std::string& a) { return a.starts_with(name + "="); });
}

void read_options_of_stepper(const FileNode& node, const Catalog& catalog, RunOfFile& run,
                             FileErrors& errors) {
  const std::unique_ptr<StepperSetup> setup = catalog.stepper(run.stepper).setup();
  const Visitable listing = [&](OptionVisitor& v) { setup->visit(v); };
  Fields fields(node, "options of " + run.stepper, errors);
  if (!node.is_map()) return;
  read_listed(fields, listing);
  fields.finish();
  for (const OptionValue& value : given(node, listing))
    run.options.push_back(value.name + "=" + to_text(value));
}

// A name of the catalog that stands in a file: the complaint of the catalog, with the place in the file.
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
  for (const OptionValue& value : given(node, listing)) run.values.emplace_back(value.name, to_text(value));
  const int before = errors.count();
  if (!section.stepper.empty()) run.stepper = section.stepper;
  for (FileNode key = node.first(); key; key = key.next().next()) {
    if (!key.is_scalar() || !key.next().is_scalar()) continue;
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

// The problem that a file names, with its parameters; null: it complained.
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

bool names_model_file(const std::string& problem) {
  return problem.ends_with(".yaml") || problem.ends_with(".yml") || problem.find('/') != std::string::npos;
}

OpenedProblem open_problem(const std::string& name, const Catalog& catalog, const ReadLimits& limits) {
  if (!names_model_file(name)) return {catalog.problem(name).make(), nullptr};
  OpenedProblem opened;
  const ReadRest rest = [&](const ModelFile& file, FileErrors& errors) {
    std::string stepper = stepper_of_files;
    if (file.problem) {
      opened.problem = named_problem(file, catalog, errors);
      stepper = opened.problem ? opened.problem->defaults().stepper : "";
    }
    for (const FileNode& node : file.runs) {
      opened.runs.push_back(read_run(node, stepper, catalog, errors));
      stepper = opened.runs.back().stepper;
    }
  };
  const auto file = std::make_shared<ModelFile>(read_model_file(name, catalog.element_types(), limits, rest));
  if (!file->problem) opened.problem = std::make_unique<FileProblem>(name, *file);
  opened.file = file;
  return opened;
}

RunRequest complete_request(const RunRequest& request, const OpenedProblem& opened) {
  RunRequest out = request;
  for (auto run = opened.runs.rbegin(); run != opened.runs.rend(); ++run)
    for (const auto& [key, text] : run->values) fill(out, key, text);
  const std::string used = out.stepper.empty() ? opened.problem->defaults().stepper : out.stepper;
  for (auto run = opened.runs.rbegin(); run != opened.runs.rend(); ++run) {
    if (run->stepper != used) continue;
    for (const std::string& option : run->options)
      if (!assigns(out.options, option.substr(0, option.find('=')))) out.options.push_back(option);
  }
  return out;
}

}  // namespace catena
