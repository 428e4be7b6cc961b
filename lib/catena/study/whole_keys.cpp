#include <catena/experiment/catalog.hpp>
#include <catena/experiment/detail/number.hpp>
#include <catena/experiment/detail/scenario_members.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/math/detail/passing_over.hpp>
#include <catena/study/detail/whole_keys.hpp>

#include <fmt/format.h>

#include <cmath>
#include <concepts>
#include <set>
#include <string_view>

namespace catena::detail {
namespace {

class WholeNumbers final : public PassingOver<> {
 public:
  std::set<std::string> names;
  void integer(const OptionInfo& info, int&) override { names.insert(info.name); }
};

template <class T>
constexpr bool is_whole =
    std::same_as<T, std::optional<int>> || std::same_as<T, std::optional<std::uint64_t>>;

// Of a scenario with the problem and the stepper of one row.
std::set<std::string> whole_keys(const Scenario& scenario, const Catalog& catalog) {
  std::set<std::string> keys{threads_key}, members{threads_key};
  each_member([&](const ScenarioMember& member, auto at) {
    members.insert(member.name);
    if (is_whole<std::remove_cvref_t<decltype(scenario.*at)>>) keys.insert(member.name);
  });
  Complaints said_later;
  said_later.attempt([&] {
    const OpenedProblem opened = open_problem(scenario, catalog);
    WholeNumbers parameters;
    opened.problem->visit(parameters);
    for (const std::string& name : parameters.names) {
      keys.insert(std::string(parameter_prefix) + name);
      if (members.count(name) == 0) keys.insert(name);
    }
    Scenario complete = scenario;
    RunSettings settings;
    complete_from_file(complete, settings, opened);
    WholeNumbers options;
    catalog.stepper(complete.stepper.empty() ? opened.problem->defaults().stepper : complete.stepper)
        .setup()
        ->visit(options);
    for (const std::string& name : options.names) keys.insert(std::string(option_prefix) + name);
  });
  return keys;
}

void round_range(Variable& variable, bool alone, Complaints& complaints) {
  std::set<std::string> different;
  const std::string first = variable.values.front(), last = variable.values.back();
  for (std::string& value : variable.values) {
    const std::optional<double> number = parse_real(std::string_view(value).substr(0, value.find(' ')));
    if (!number || !variable.unit.empty()) return;  // a whole number has no unit: it is refused as it is
    value = whole_text(*number);
    different.insert(value);
  }
  if (alone && different.size() < variable.values.size())
    complaints.add(
        fmt::format("--vary {}: it is a whole number, of which {} are in the range from {} to {}, and {} "
                    "values are asked for",
                    variable.key, different.size(), first, last, variable.values.size()));
}

}  // namespace

std::string whole_text(double number) { return fmt::format("{:.0f}", std::round(number) + 0.0); }

Sweep with_whole_numbers(Sweep sweep, const Catalog& catalog) {
  Scenario first = sweep.base;
  bool any = false;
  Complaints said_later;
  for (const Axis& axis : sweep.axes)
    for (const Variable& variable : axis) {
      any = any || variable.drawn() || variable.range;
      if ((variable.key == "problem" || variable.key == stepper_key) && !variable.drawn())
        said_later.attempt([&] { set_by_key(first, variable.key, variable.values.front()); });
    }
  if (!any) return sweep;
  const std::set<std::string> keys = whole_keys(first, catalog);
  Complaints complaints;
  for (Axis& axis : sweep.axes)
    for (Variable& variable : axis) {
      if (keys.count(variable.key) == 0) continue;
      variable.whole = variable.drawn();
      if (variable.range) round_range(variable, axis.size() == 1, complaints);
    }
  complaints.throw_if_any();
  return sweep;
}

}  // namespace catena::detail
