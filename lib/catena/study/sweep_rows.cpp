#include <catena/experiment/detail/number.hpp>
#include <catena/experiment/detail/scenario_members.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/study/detail/method_comparison.hpp>
#include <catena/study/detail/row_store.hpp>
#include <catena/study/detail/sweep_identity.hpp>
#include <catena/study/detail/whole_keys.hpp>
#include <catena/study/parts/sweep_rows.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace catena {
using namespace detail;
namespace {

// More rows than this are a mistake of the request, and would not fit the numbers of rows.
constexpr double most_rows = 1e12;

// Adds what the reductions need to what is measured.
void complete_record(Sweep& sweep) {
  if (!sweep.base.record.empty()) return;
  std::vector<std::string> names;
  for (const Reduction& reduction : sweep.keep) {
    const std::string name = quantity_of(reduction);
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    names.push_back(name);
    sweep.base.record += (sweep.base.record.empty() ? "" : ",") + name;
  }
}

constexpr const char* choose_one = "leave one of them out";

// Whether one of two parameters is the other one, or by its path a part of it: gravity and gravity.y.
bool overlap(const std::string& a, const std::string& b) {
  const std::string &whole = a.size() < b.size() ? a : b, &part = a.size() < b.size() ? b : a;
  return part.starts_with(whole) && (part.size() == whole.size() || part[whole.size()] == '.');
}

// The same key in two axes, a parameter by two spellings, or a part of it.
void refuse_repeated(const std::vector<std::string>& keys, Complaints& complaints) {
  for (std::size_t k = 0; k < keys.size(); ++k)
    for (std::size_t other = 0; other < k; ++other) {
      const std::optional<std::string> a = parameter_of(keys[other]), b = parameter_of(keys[k]);
      if (keys[k] == keys[other]) {
        complaints.add("--vary " + keys[k] + ": it varies twice");
        break;
      }
      if (one_name(keys[k], keys[other]))
        complaints.add(fmt::format(
            "--vary {} and --vary {}: the columns of a table know no upper case; rename one of the two",
            keys[other], keys[k]));
      if (a && b && overlap(*a, *b))
        complaints.add(fmt::format("--vary {} and --vary {}: {} varies twice: {}", keys[other], keys[k],
                                   a->size() > b->size() ? *a : *b, choose_one));
    }
}

void refuse_kept_twice(const std::vector<Reduction>& keep, Complaints& complaints) {
  std::set<std::string> once, twice;
  for (const Reduction& reduction : keep)
    if (const std::string text = to_text(reduction); !once.insert(text).second && twice.insert(text).second)
      complaints.add(fmt::format("--keep {}: it is given twice", text));
}

std::string text_of(const std::string& text) { return text; }
std::string text_of(const Settings&) { return {}; }  // key by key
template <class T>
std::string text_of(const std::optional<T>& number) {
  return number ? fmt::format("{}", *number) : "";
}

// What the base sets too of one key: "--set n=4"; empty: nothing.
std::string set_for_all(const Scenario& base, const std::string& key) {
  if (key == threads_key || key == "problem") return {};
  if (const std::optional<std::string> parameter = parameter_of(key)) {
    for (const auto& [name, value] : base.parameters)
      if (overlap(name, *parameter)) return fmt::format("--set {}={}", name, value);
    return {};
  }
  if (key.starts_with(option_prefix)) {
    const auto found = base.options.find(key.substr(option_prefix.size()));
    return found == base.options.end() ? "" : fmt::format("--option {}={}", found->first, found->second);
  }
  std::string set;
  each_member([&](const ScenarioMember& m, auto at) {
    if (key != m.name) return;
    if (const std::string value = text_of(base.*at); !value.empty()) set = "--" + key + " " + value;
  });
  return set;
}

// What is set for all rows and varies; what varies by itself and comes with a stepper.
void refuse_contradictions(const Sweep& sweep, const std::vector<std::string>& keys, Complaints& complaints) {
  for (const std::string& key : keys)
    if (const std::string set = set_for_all(sweep.base, key); !set.empty())
      complaints.add(fmt::format("{} is for all rows, and --vary {} varies it: {}", set, key, choose_one));
  std::set<std::string> with_steppers;
  Complaints said_before;
  for (const Axis& axis : sweep.axes)
    for (const Variable& variable : axis)
      if (variable.key == stepper_key)
        for (const std::string& value : variable.values)
          said_before.attempt([&] {
            for (const auto& [option, text] : compared_stepper(value).options) with_steppers.insert(option);
          });
  for (const std::string& option : with_steppers) {
    const std::string key = std::string(option_prefix) + option;
    if (std::find(keys.begin(), keys.end(), key) != keys.end())
      complaints.add(
          fmt::format("--vary {} varies what --vary stepper sets ({}): {}", key, option, choose_one));
    if (const std::string set = set_for_all(sweep.base, key); !set.empty())
      complaints.add(
          fmt::format("{} is for all rows, and --vary stepper sets {}: {}", set, option, choose_one));
  }
}

// What says how to draw, where nothing is drawn.
void refuse_idle_sampling(const Sweep& sweep, Complaints& complaints) {
  const auto refuse = [&](const std::string& asked) {
    complaints.add(asked + ": nothing is drawn: --vary k=uniform:0.9:1.1 say");
  };
  if (sweep.samples > 0) refuse(fmt::format("--samples {}", sweep.samples));
  if (sweep.seed > 0) refuse(fmt::format("--sample-seed {}", sweep.seed));
  if (sweep.sampling != Sampling::random) refuse(fmt::format("--sampling {}", to_string(sweep.sampling)));
}

}  // namespace

SweepRows::SweepRows(Sweep sweep, const Catalog& catalog)
    : SweepRows(with_whole_numbers(std::move(sweep), catalog)) {}

SweepRows::SweepRows(Sweep sweep) : sweep_(std::move(sweep)) {
  Complaints complaints;
  double cells = 1.0;
  for (const Axis& axis : sweep_.axes) {
    for (const Variable& variable : axis) {
      keys_.push_back(variable.key);
      if (variable.drawn()) ++drawn_;
      Scenario scenario = sweep_.base;
      for (const std::string& value : variable.values)
        complaints.attempt([&] { set_by_key(scenario, variable.key, value); });
      if (variable.key == threads_key) {
        if (variable.drawn())
          complaints.add("--vary threads: a list or a range, which nothing is drawn from");
        for (const std::string& value : variable.values)
          most_threads_ = std::max(most_threads_, parse_integer(value).value_or(0));
      }
    }
    if (axis.front().drawn()) continue;
    cells *= static_cast<double>(axis.front().values.size());
    cells_ *= axis.front().values.size();
  }
  refuse_repeated(keys_, complaints);
  refuse_contradictions(sweep_, keys_, complaints);
  refuse_kept_twice(sweep_.keep, complaints);
  if (keys_.empty()) complaints.add("nothing varies: --vary n=10,20,40 say");
  if (drawn_ > 0 && sweep_.samples == 0)
    complaints.add("--samples N is missing: how often the variables are drawn");
  if (drawn_ == 0) refuse_idle_sampling(sweep_, complaints);
  const bool sequence = sweep_.sampling == Sampling::sobol || sweep_.sampling == Sampling::saltelli;
  const std::size_t dimensions = sweep_.sampling == Sampling::saltelli ? 2 * drawn_ : drawn_;
  constexpr std::size_t most_dimensions = 3667;
  if (sequence && dimensions > most_dimensions)
    complaints.add(fmt::format("{} drawn variables are too many for a sequence of {} dimensions", drawn_,
                               most_dimensions));
  const double points = static_cast<double>(sweep_.samples) *
                        (sweep_.sampling == Sampling::saltelli ? static_cast<double>(drawn_ + 2) : 1.0);
  if (cells * std::max(1.0, points) > most_rows)
    complaints.add(
        fmt::format("{:.3g} rows are too many: at most {:.0e}", cells * std::max(1.0, points), most_rows));
  complaints.throw_if_any();
  if (drawn_ > 0) sampler_.emplace(sweep_.sampling, sweep_.samples, drawn_, sweep_.seed);
  complete_record(sweep_);
  every_step_ = !sweep_.base.every && std::find(keys_.begin(), keys_.end(), "every") == keys_.end() &&
                std::any_of(sweep_.keep.begin(), sweep_.keep.end(), is_over_time);
}

std::vector<std::string> SweepRows::values(std::size_t row) const {
  std::vector<double> point;
  if (sampler_) point = (*sampler_)(row % samples());
  std::size_t cell = row / samples(), next_drawn = 0;
  std::vector<std::size_t> chosen(sweep_.axes.size(), 0);
  for (std::size_t k = sweep_.axes.size(); k-- > 0;) {
    const std::size_t size = std::max<std::size_t>(1, sweep_.axes[k].front().values.size());
    chosen[k] = cell % size;
    cell /= size;
  }
  std::vector<std::string> values;
  for (std::size_t k = 0; k < sweep_.axes.size(); ++k)
    for (const Variable& variable : sweep_.axes[k]) {
      if (!variable.drawn()) {
        values.push_back(variable.values[chosen[k]]);
        continue;
      }
      const double number = variable.distribution.quantile(point[next_drawn++]);
      values.push_back((variable.whole ? whole_text(number) : fmt::format("{}", number)) +
                       (variable.unit.empty() ? "" : " " + variable.unit));
    }
  return values;
}

Scenario SweepRows::scenario(std::size_t row) const {
  Scenario scenario = sweep_.base;
  if (every_step_) scenario.every = 1;
  const std::vector<std::string> texts = values(row);
  for (std::size_t k = 0; k < texts.size(); ++k) set_by_key(scenario, keys_[k], texts[k]);
  return scenario;
}

int SweepRows::threads(std::size_t row) const {
  if (most_threads_ == 0) return 0;
  const auto at = std::find(keys_.begin(), keys_.end(), threads_key);
  return parse_integer(values(row)[static_cast<std::size_t>(at - keys_.begin())]).value_or(1);
}

}  // namespace catena
