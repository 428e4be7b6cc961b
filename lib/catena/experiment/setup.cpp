#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/experiment/catalog.hpp>
#include <catena/experiment/detail/scenario_members.hpp>
#include <catena/experiment/detail/setup.hpp>
#include <catena/math/detail/option_range.hpp>
#include <catena/math/detail/passing_over.hpp>
#include <catena/output/detail/result_size.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace catena::detail {
namespace {

// Sets the tolerances of the local error.
class Tolerances final : public PassingOver<> {
 public:
  explicit Tolerances(double value) : value_(value) {}
  int count = 0;
  void real(const OptionInfo& info, double& value) override {
    if (!info.tolerance) return;
    value = value_;
    ++count;
  }

 private:
  double value_;
};

void choose_parameters(Setup& s, OpenedProblem& opened, Complaints& complaints) {
  if (std::uint64_t* const seed = opened.problem->seed())
    s.scenario.seed = *seed = s.scenario.seed.value_or(*seed);
  else
    s.scenario.seed.reset();  // which changes nothing: no part of the key
  complaints.attempt([&] { set_parameters(opened, s.scenario); });
  s.parameters = option_values([&](OptionVisitor& v) { opened.problem->visit(v); });
  s.scenario.parameters = settings_of(s.parameters);
}

bool is_set(const Settings& options, const std::string& name) {
  const auto found = options.find(name);
  return found != options.end() && found->second != "0" && found->second != "false";
}

// The first option, "control_lambda=true", that says what errors of one kind may be; empty: none.
std::string set_for_error_control(const Settings& options) {
  for (const char* const name : {"atol_length", "atol_angle", "atol_linear_velocity", "atol_angular_velocity",
                                 "control_lambda", "rtol_lambda", "atol_lambda"})
    if (is_set(options, name)) return std::string(name) + "=" + options.at(name);
  return {};
}

void choose_stepper(Setup& s, const Catalog& catalog, Complaints& complaints) {
  if (s.scenario.stepper.empty()) s.scenario.stepper = s.problem->defaults().stepper;
  const std::string& name = s.scenario.stepper;
  std::unique_ptr<StepperSetup> setup;
  if (!complaints.attempt([&] { setup = catalog.stepper(name).setup(); })) return;
  const Visitable options = [&](OptionVisitor& v) { setup->visit(v); };
  const bool fit = complaints.attempt([&] {
    if (s.scenario.tolerance) {
      Tolerances tolerances(*s.scenario.tolerance);
      setup->visit(tolerances);
      if (tolerances.count == 0)
        throw UsageError(fmt::format("--tolerance {}: stepper {} does not control its error: give --step",
                                     *s.scenario.tolerance, name));
    }
    set_options(options, s.scenario.options, "--option", "stepper " + name);
  });
  const std::string of_errors = set_for_error_control(s.scenario.options);
  s.options = option_values(options);
  s.scenario.options = settings_of(s.options);

  LinearSolverFactory backend;
  complaints.attempt([&] {
    const std::string asked = s.scenario.backend;
    if (!asked.empty() || !catalog.backends().empty()) {
      const CatalogBackend& chosen = asked.empty() ? catalog.backends().front() : catalog.backend(asked);
      backend = chosen.make;
      s.backend = chosen.name;
      s.reuses_pivots = chosen.reuses_pivots;
    }
    if (const std::string own = setup->own_backend(); !own.empty()) {
      if (!asked.empty())
        throw UsageError("stepper " + name + " solves its linear systems by " + own +
                         " and takes no other back end: leave --backend out");
      s.backend = own;
      s.reuses_pivots = false;
    } else {
      s.scenario.backend = s.backend;
    }
  });
  if (!fit) return;
  s.stepper = setup->make(backend, catalog.fallback());
  const bool fixed = !s.stepper->traits().chooses_step;
  if (fixed && !of_errors.empty())
    complaints.add(fmt::format(
        "--option {}: stepper {} takes steps of a fixed size here: give --tolerance, or leave it out",
        of_errors, name));
  for (const char* const option : {"rtol_lambda", "atol_lambda"})
    if (is_set(s.scenario.options, option) && !is_set(s.scenario.options, "control_lambda") &&
        s.scenario.options.count("control_lambda") > 0)
      complaints.add(fmt::format("--option {}: it counts with control_lambda=true alone", option));
  if (s.scenario.tolerance && fixed)
    complaints.add(fmt::format(
        "--tolerance {}: with its options stepper {} takes steps of a fixed size: leave out --tolerance, "
        "or the option that fixes them",
        *s.scenario.tolerance, name));
}

void choose_grid(Setup& s, Complaints& complaints) {
  if (s.problem) {
    s.run.step = s.problem->defaults().step;
    s.run.end = s.problem->defaults().end;
  }
  Scenario& from = s.scenario;
  s.run.step = from.step.value_or(s.run.step);
  s.run.end = from.end.value_or(s.run.end);
  s.run.every = from.every.value_or(standard_every(s.run.end / s.run.step));
  s.run.max_cuts = from.max_cuts.value_or(s.run.max_cuts);
  if (const std::string wrong = out_of_range(s.run); !wrong.empty()) complaints.add("the grid: " + wrong);
  if (s.run.end / s.run.step > 1e12) complaints.add("more than 1e12 steps: choose --step or --end otherwise");
  from.step = s.run.step;
  from.end = s.run.end;
  from.every = s.run.every;
  from.max_cuts = s.run.max_cuts;
}

void choose_quantities(Setup& s, const Catalog& catalog, Complaints& complaints) {
  try {
    s.reactions = reaction_rule(s.scenario.reactions);
  } catch (const SelectionError& error) {
    complaints.add(s.named("reactions") + " " + s.scenario.reactions + ": " + error.what());
  }
  try {
    s.multipliers = multiplier_choice(s.scenario.multipliers);
  } catch (const SelectionError& error) {
    complaints.add(s.named("multipliers") + " " + s.scenario.multipliers + ": " + error.what());
  }
  try {
    s.selection = select(catalog.quantities(), s.scenario.record, s.multipliers);
  } catch (const SelectionError& error) {
    complaints.add(s.named("record") + " " + s.scenario.record + ": " + error.what());
  }
  s.run.open_joints_fail = s.scenario.gaps != "remark";
  if (const std::string& gaps = s.scenario.gaps; !gaps.empty() && gaps != "failure" && gaps != "remark")
    complaints.add(s.named("gaps") + " " + gaps + ": " + unknown_name("choice", gaps, {"failure", "remark"}));
  const std::string& precision = s.scenario.precision;
  if (precision.empty())
    s.scenario.precision = "float64";
  else if (precision != "float64" && precision != "float32")
    complaints.add(s.named("precision") + " " + precision + ": " +
                   unknown_name("precision", precision, {"float64", "float32"}));
}

}  // namespace

Setup set_up(const Scenario& scenario, const RunSettings& settings, const Catalog& catalog,
             Complaints& complaints) {
  Setup s;
  s.scenario = scenario;
  s.settings = settings;
  OpenedProblem opened;
  if (complaints.attempt([&] { opened = open_problem(scenario, catalog); }))
    complete_from_file(s.scenario, s.settings, opened);
  each_member([&](const ScenarioMember& member, auto at) {
    if (scenario.*at == s.scenario.*at) return;  // as it was asked for
    for (const RunOfFile& run : opened.runs)
      if (const auto found = run.places.find(member.name); found != run.places.end())
        s.places[member.name] = found->second;
  });
  s.asked = s.scenario;
  s.files = std::move(opened.files);
  s.content = std::move(opened.content);
  s.moved = std::move(opened.moved);
  if (opened.problem) choose_parameters(s, opened, complaints);
  s.problem = std::move(opened.problem);
  if (s.problem || !s.scenario.stepper.empty()) choose_stepper(s, catalog, complaints);
  choose_grid(s, complaints);
  choose_quantities(s, catalog, complaints);
  return s;
}

double later_instant(const RunOptions& run, const System& system) {
  constexpr double longest = 0.0625;  // far enough for what depends on time to show, exact in binary
  const double later = std::min(longest, run.step);
  return system.initial_state().t + later <= run.end ? later : 0.0;
}

std::unique_ptr<System> make_system(const Problem& problem, Coordinates coordinates) {
  if (std::unique_ptr<System> own = problem.own_system()) return own;
  Model model = problem.model();
  model.check();  // a body whose position is no number is the cause of joints that are open by it
  model.check_initial_positions();
  if (coordinates == Coordinates::lagrangian && all_rigid(model))
    return std::make_unique<QuaternionSystem>(std::move(model));
  return std::make_unique<MultibodySystem>(std::move(model));
}

}  // namespace catena::detail
