#include <catena/experiment/detail/number.hpp>
#include <catena/experiment/detail/scenario_members.hpp>
#include <catena/experiment/detail/split.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/study/detail/method_comparison.hpp>
#include <catena/study/parts/axis.hpp>

#include <boost/math/special_functions/erf.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>

namespace catena {
using namespace detail;
namespace {

constexpr std::string_view together = " with ";
// The table has the text of all values in one cell, of which SQLite takes 1e9 bytes; a value may have 24 and a unit.
constexpr int most_values = 10'000'000;

struct NamedKind {
  std::string_view name;
  Distribution::Kind kind;
};
constexpr NamedKind kinds[] = {{"uniform", Distribution::Kind::uniform},
                               {"loguniform", Distribution::Kind::loguniform},
                               {"normal", Distribution::Kind::normal},
                               {"lognormal", Distribution::Kind::lognormal}};

std::string_view name_of(Distribution::Kind kind) {
  for (const NamedKind& named : kinds)
    if (named.kind == kind) return named.name;
  return {};
}

std::string with_unit(double number, const std::string& unit) {
  return fmt::format("{}", number) + (unit.empty() ? "" : " " + unit);
}

// One variable from its text; what: for messages.
class VariableText {
 public:
  VariableText(std::string_view text, const std::string& what) : what_(what) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || trimmed(text.substr(0, equals)).empty())
      fail("write key=values, n=10,20,40 say");
    variable_.key = trimmed(text.substr(0, equals));
    values_ = trimmed(text.substr(equals + 1));
    if (values_.empty()) fail("there are no values behind the \"=\"");
  }

  Variable read() {
    refuse_unknown_distribution();
    if (!is_distribution() && !is_range()) read_list();
    return variable_;
  }

 private:
  // "10,20 kN/m": a unit behind the last of several plain numbers is that of all.
  void read_list() {
    std::vector<std::string>& values = variable_.values;
    values = split_values();
    std::size_t plain = 0, with_unit = 0;
    for (const std::string& value : values) {
      if (value.empty()) fail("a value between two commas is empty");
      const std::size_t blank = value.find(' ');
      if (!parse_real(std::string_view(value).substr(0, blank))) continue;
      ++(blank == std::string::npos ? plain : with_unit);
    }
    if (plain == 0 || with_unit == 0) return;
    const std::size_t blank = values.back().find(' ');
    if (with_unit > 1 || blank == std::string::npos || plain + 1 != values.size())
      fail("some values have a unit and some have none: write it behind each, or behind the last for all");
    for (std::size_t k = 0; k + 1 < values.size(); ++k) values[k] += values.back().substr(blank);
  }

  // At the commas that are in no brackets: "[0, 0, 1],[0, 1, 0]" are two.
  std::vector<std::string> split_values() const {
    std::vector<std::string> parts;
    int open = 0;
    std::size_t begin = 0;
    for (std::size_t k = 0; k <= values_.size(); ++k) {
      const char c = k < values_.size() ? values_[k] : ',';
      open += c == '[' ? 1 : c == ']' ? -1 : 0;
      if (open < 0 || (k == values_.size() && open != 0)) fail("a bracket is not closed, or was not opened");
      if (c != ',' || open > 0) continue;
      parts.emplace_back(trimmed(std::string_view(values_).substr(begin, k - begin)));
      begin = k + 1;
    }
    return parts;
  }

  // "0.9:1.1 kN/m" without the unit, which is kept.
  std::string_view without_unit(std::string_view text) {
    const std::size_t blank = text.find(' ');
    if (blank == std::string_view::npos) return text;
    variable_.unit = trimmed(text.substr(blank));
    return text.substr(0, blank);
  }

  // A word with two numbers behind it, "gauss:1:2". Rules of reactions have this form too.
  void refuse_unknown_distribution() {
    const std::vector<std::string> parts = split(values_, ':');
    if (parts.size() != 3 || variable_.key == "reactions") return;
    const auto is_letter = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    const std::string& name = parts.front();
    if (name.empty() || !std::all_of(name.begin(), name.end(), is_letter)) return;
    const std::string last = parts.back().substr(0, parts.back().find(' '));
    if (!parse_real(parts[1]) || !parse_real(last)) return;
    for (const NamedKind& named : kinds)
      if (named.name == name) return;
    fail(
        fmt::format("no distribution \"{}\"; there are uniform:LOWER:UPPER, loguniform:LOWER:UPPER, "
                    "normal:MEAN:DEVIATION and lognormal:MEDIAN:DEVIATION",
                    name));
  }

  bool is_distribution() {
    const std::string_view name = std::string_view(values_).substr(0, values_.find(':'));
    for (const NamedKind& named : kinds) {
      if (named.name != name || name.size() == values_.size()) continue;
      Distribution& d = variable_.distribution;
      d.kind = named.kind;
      const std::vector<std::string> numbers =
          split(without_unit(std::string_view(values_).substr(name.size() + 1)), ':');
      const std::optional<double> a = parse_real(numbers.front()), b = parse_real(numbers.back());
      if (numbers.size() != 2 || !a || !b) fail(fmt::format("{} has two numbers, {}:1:2", name, name));
      d.a = *a;
      d.b = *b;
      check(d);
      return true;
    }
    return false;
  }

  void check(const Distribution& d) const {
    const bool bounds = d.kind == Distribution::Kind::uniform || d.kind == Distribution::Kind::loguniform;
    if (bounds && !(d.a < d.b)) fail("the lower bound comes first, and the upper one is above it");
    if (!bounds && !(d.b > 0.0)) fail("a standard deviation is above 0");
    if (d.kind == Distribution::Kind::loguniform && !(d.a > 0.0)) fail("bounds of a logarithm are above 0");
    if (d.kind == Distribution::Kind::lognormal && !(d.a > 0.0)) fail("the median of lognormal is above 0");
  }

  // "1..10:4" or "1..1000:4:log".
  bool is_range() {
    const std::size_t dots = values_.find("..");
    if (dots == std::string::npos) return false;
    const std::optional<double> first = parse_real(std::string_view(values_).substr(0, dots));
    if (!first) return false;  // a path, say
    const std::vector<std::string> rest =
        split(without_unit(std::string_view(values_).substr(dots + 2)), ':');
    const std::optional<double> last = parse_real(rest.front());
    const std::optional<int> count = rest.size() > 1 ? parse_integer(rest[1]) : std::nullopt;
    const bool log = rest.size() == 3 && rest[2] == "log";
    if (!last || !count || rest.size() > 3 || (rest.size() == 3 && !log))
      fail("a range is first..last:count or first..last:count:log, 1..10:4 say");
    if (*count < 2) fail("a range has at least two values");
    if (*count > most_values)
      fail(
          fmt::format("a range has at most {} values, because its table lists them: draw them instead, "
                      "uniform:{}:{} say, with --samples",
                      most_values, *first, *last));
    if (log && !(*first > 0.0 && *last > 0.0)) fail("a range of equal ratios is above 0");
    variable_.range = true;
    const double intervals = *count - 1;
    for (int k = 0; k < *count; ++k) {
      double value = *first + (*last - *first) * k / intervals;
      if (log) {  // in powers of ten, of which round numbers come out round
        const double from = std::log10(*first), to = std::log10(*last);
        value = std::pow(10.0, from + (to - from) * k / intervals);
      }
      if (k == 0) value = *first;
      if (k == *count - 1) value = *last;
      variable_.values.push_back(with_unit(value, variable_.unit));
    }
    return true;
  }

  [[noreturn]] void fail(const std::string& why) const { throw UsageError(what_ + ": " + why); }

  const std::string& what_;
  std::string values_;
  Variable variable_;
};

std::string text_of(const Variable& variable) {
  if (variable.drawn()) {
    const Distribution& d = variable.distribution;
    return fmt::format("{}={}:{}:{}{}", variable.key, name_of(d.kind), d.a, d.b,
                       variable.unit.empty() ? "" : " " + variable.unit);
  }
  std::string text = variable.key + "=";
  for (const std::string& value : variable.values) text += (text.ends_with('=') ? "" : ",") + value;
  return text;
}

}  // namespace

double Distribution::quantile(double u) const {
  // A clamp: a point of a sequence may lie on the bound, where a normal distribution has no number.
  const double inside = std::fmin(std::fmax(u, 0x1p-54), 1.0 - 0x1p-53);
  const auto normal = [&] { return std::numbers::sqrt2 * boost::math::erf_inv(2.0 * inside - 1.0); };
  switch (kind) {
    case Kind::uniform:
      return a + (b - a) * u;
    case Kind::loguniform:
      return std::isfinite(b / a) ? a * std::pow(b / a, u) : std::exp(std::lerp(std::log(a), std::log(b), u));
    case Kind::normal:
      return a + b * normal();
    case Kind::lognormal:
      break;
  }
  return a * std::exp(b * normal());
}

namespace {

// Where the next variable begins to be named, behind the "=" of this one: a path may go through "rod with hook".
std::size_t end_of_variable(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return equals;
  const std::size_t at = text.find(together, equals);
  return at != std::string_view::npos && text.find('=', at) != std::string_view::npos
             ? at
             : std::string_view::npos;
}

}  // namespace

Axis axis_from_text(const std::string& text) {
  Axis axis;
  std::string_view rest = text;
  while (true) {
    const std::size_t at = end_of_variable(rest);
    axis.push_back(VariableText(rest.substr(0, at), text).read());
    if (at == std::string_view::npos) break;
    rest.remove_prefix(at + together.size());
  }
  for (const Variable& variable : axis) {
    if (axis.size() > 1 && variable.drawn())
      throw UsageError(text + ": what is drawn is an axis of its own: \"with\" is for lists and ranges");
    if (variable.values.size() != axis.front().values.size())
      throw UsageError(fmt::format("{}: {} has {} values and {} has {}: together they need as many each",
                                   text, axis.front().key, axis.front().values.size(), variable.key,
                                   variable.values.size()));
  }
  return axis;
}

std::string to_text(const Axis& axis) {
  std::string text;
  for (const Variable& variable : axis)
    text += (text.empty() ? "" : std::string(together)) + text_of(variable);
  return text;
}

std::optional<std::string> parameter_of(const std::string& key) {
  if (key.starts_with(parameter_prefix)) return key.substr(parameter_prefix.size());
  bool other = key == "problem" || key == "max_cuts" || key == threads_key || key.starts_with(option_prefix);
  each_member(
      [&](const ScenarioMember& m, auto) { other = other || (*m.argument != '\0' && key == m.name); });
  return other ? std::nullopt : std::optional(key);
}

void set_by_key(Scenario& scenario, const std::string& key, const std::string& text) {
  if (const std::optional<std::string> parameter = parameter_of(key)) {
    scenario.parameters[*parameter] = text;
    return;
  }
  if (key.starts_with(option_prefix)) {
    scenario.options[key.substr(option_prefix.size())] = text;
    return;
  }
  if (key == threads_key) {  // which changes no number: the rows keep it beside the scenario
    const std::optional<int> threads = parse_integer(text);
    if (!threads || *threads < 1) throw UsageError("--vary threads=" + text + ": whole numbers from 1");
    return;
  }
  if (key == stepper_key) {
    const ComparedStepper stepper = compared_stepper(text, "--vary stepper");
    scenario.stepper = stepper.name;
    for (const auto& [option, value] : stepper.options) scenario.options[option] = value;
    return;
  }
  set_member(scenario, key, text);
}

}  // namespace catena
