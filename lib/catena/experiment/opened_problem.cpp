#include <catena/experiment/catalog.hpp>
#include <catena/experiment/detail/scenario_members.hpp>
#include <catena/experiment/parts/opened_problem.hpp>
#include <catena/experiment/parts/options.hpp>
#include <catena/experiment/parts/usage_error.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <variant>

namespace catena {
using namespace detail;
namespace {

void fill(std::string& into, const std::string& from) {
  if (into.empty()) into = from;
}
template <class T>
void fill(std::optional<T>& into, const std::optional<T>& from) {
  if (!into) into = from;
}

// Parameters are of the problem, options of a stepper.
void fill(Settings&, const Settings&) {}

}  // namespace

bool names_model_file(const std::string& problem) {
  return problem.ends_with(".yaml") || problem.ends_with(".yml") || problem.find('/') != std::string::npos;
}

OpenedProblem open_problem(const Scenario& scenario, const Catalog& catalog) {
  OpenedProblem opened;
  if (scenario.model) {
    if (!scenario.problem.empty())
      throw UsageError("problem " + scenario.problem +
                       " and a model: one of the two is run, leave the other out");
    opened.problem = std::make_unique<ModelProblem>(*scenario.model, "a model");
  } else if (!names_model_file(scenario.problem)) {
    opened.problem = catalog.problem(scenario.problem).make();
  } else {
    opened = catalog.read_model(scenario.problem, scenario.parameters);
  }
  return opened;
}

void set_parameters(OpenedProblem& opened, const Scenario& scenario) {
  Settings values = scenario.parameters;
  for (const auto& [name, value] : opened.parameters)
    if (const auto given = values.find(name); given != values.end()) given->second = value;
  set_options([&](OptionVisitor& v) { opened.problem->visit(v); }, values, "--set",
              "problem " + scenario.problem);
}

bool file_says_record(const Scenario& scenario, const Catalog& catalog) {
  if (!names_model_file(scenario.problem)) return false;
  try {
    const OpenedProblem opened = open_problem(scenario, catalog);
    return std::any_of(opened.runs.begin(), opened.runs.end(),
                       [](const RunOfFile& run) { return !run.scenario.record.empty(); });
  } catch (const std::runtime_error&) {
    return false;
  }
}

void complete_from_file(Scenario& scenario, RunSettings& settings, const OpenedProblem& opened) {
  for (auto run = opened.runs.rbegin(); run != opened.runs.rend(); ++run) {
    const Scenario& said = run->scenario;
    each_member([&](const ScenarioMember&, auto member) { fill(scenario.*member, said.*member); });
    fill(settings.threads, run->settings.threads);
    fill(settings.output, run->settings.output);
    fill(settings.format, run->settings.format);
    fill(settings.interval, run->settings.interval);
    fill(settings.checkpoint, run->settings.checkpoint);
  }
  const std::string used =
      scenario.stepper.empty() && opened.problem ? opened.problem->defaults().stepper : scenario.stepper;
  for (auto run = opened.runs.rbegin(); run != opened.runs.rend(); ++run)
    if (run->stepper == used)
      scenario.options.insert(run->scenario.options.begin(), run->scenario.options.end());
}

ModelProblem::ModelProblem(Model model, std::string summary, std::vector<ObservedPoint> points,
                           std::vector<OptionValue> parameters)
    : model_(std::move(model)),
      summary_(std::move(summary)),
      points_(std::move(points)),
      parameters_(std::move(parameters)) {}

void ModelProblem::visit(OptionVisitor& visitor) {
  for (const OptionValue& parameter : parameters_) {
    const OptionInfo info{parameter.name.c_str(), parameter.unit.c_str(), "of the model file"};
    if (const auto* number = std::get_if<double>(&parameter.value)) {
      double value = *number;
      visitor.real(info, value);
    } else {  // of a member by its path, as it was given
      std::string text = std::get<std::string>(parameter.value);
      visitor.text(info, text);
    }
  }
}

ProblemDefaults ModelProblem::defaults() const { return {stepper, RunOptions{}.step, RunOptions{}.end}; }

}  // namespace catena
