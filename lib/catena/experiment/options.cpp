#include <catena/experiment/detail/number.hpp>
#include <catena/experiment/parts/options.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/math/detail/printed.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace catena {
using namespace detail;
namespace {

// Bounds of whole numbers stay below 2^53, so they print as such.
std::string bound(double x, bool whole) {
  return whole ? fmt::format("{:.0f}", x) : fmt::format("{:.12g}", x);
}

std::string triple(const Vec3& v) { return fmt::format("{}, {}, {}", v[0], v[1], v[2]); }

std::string range_text(const OptionInfo& info, bool whole) {
  const bool below = std::isfinite(info.minimum), above = std::isfinite(info.maximum);
  if (below && above)
    return fmt::format("{}{}, {}]", info.above_minimum ? '(' : '[', bound(info.minimum, whole),
                       bound(info.maximum, whole));
  if (below) return (info.above_minimum ? "above " : "at least ") + bound(info.minimum, whole);
  if (above) return "at most " + bound(info.maximum, whole);
  return whole ? "any whole number" : "any number";
}

class Lister : public ElementVisitor {
 public:
  std::vector<OptionRow> rows;
  void bodies(const OptionInfo& i, BodyId*, int count) override {
    add(i, std::string(), count == 1 ? "a body" : fmt::format("{} bodies", count));
  }
  void vector(const OptionInfo& i, Vec3& value) override { add(i, triple(value), "any three numbers"); }
  void direction(const OptionInfo& i, Vec3& value) override { add(i, triple(value), "any length but 0"); }
  void real(const OptionInfo& i, double& value) override { add(i, value, range_text(i, false)); }
  void integer(const OptionInfo& i, int& value) override { add(i, value, range_text(i, true)); }
  void flag(const OptionInfo& i, bool& value) override { add(i, value, "true or false"); }
  void text(const OptionInfo& i, std::string& value) override { add(i, value, "any text"); }
  void choice(const OptionInfo& i, int& value, const std::vector<std::string>& names) override {
    add(i, names.at(static_cast<std::size_t>(value)), joined(names));
  }
  void square(const OptionInfo& i, double*, int size) override {
    add(i, std::string("0"), fmt::format("{0} numbers (its diagonal), or {0} rows of {0}", size));
  }
  void words(const OptionInfo& i, std::vector<std::string>& value,
             const std::vector<std::string>& known) override {
    add(i, joined(value), "a list of " + joined(known));
  }

  void joint_terms(const OptionInfo& i, std::vector<JointTerm>&) override {
    add(i, std::string(), "a list of {joint: name, coordinate: angle or displacement, coefficient: number}");
  }
  void numbers(const OptionInfo& i, std::vector<double>&) override {
    add(i, std::string(), "a list of numbers");
  }
  void joint(const OptionInfo& i, ConstraintId&) override { add(i, std::string(), "a joint"); }
  void function(const OptionInfo& i, Function& value, const FunctionUnits&) override {
    add(i, value.at(0.0).value, "a number or a function");
  }

 private:
  template <class T>
  void add(const OptionInfo& info, const T& value, std::string range) {
    rows.push_back({{info.name, info.unit, value}, info.meaning, std::move(range)});
  }
};

// The values alone: every run asks for them.
class Values : public OptionVisitor {
 public:
  std::vector<OptionValue> values;
  void real(const OptionInfo& i, double& value) override { add(i, value); }
  void integer(const OptionInfo& i, int& value) override { add(i, value); }
  void flag(const OptionInfo& i, bool& value) override { add(i, value); }
  void text(const OptionInfo& i, std::string& value) override { add(i, value); }
  void choice(const OptionInfo& i, int& value, const std::vector<std::string>& names) override {
    add(i, names.at(static_cast<std::size_t>(value)));
  }

 private:
  template <class T>
  void add(const OptionInfo& info, const T& value) {
    values.push_back({info.name, info.unit, value});
  }
};

class Setter : public OptionVisitor {
 public:
  Setter(const std::string& name, const std::string& text, const std::string& what)
      : name_(name), text_(text), what_(what) {}
  bool found = false;

  void real(const OptionInfo& i, double& value) override {
    if (!mine(i)) return;
    const std::optional<double> parsed = parse_real(text_);
    if (!parsed) fail(fmt::format("\"{}\" is not a number", text_));
    in_range(i, *parsed, false);
    value = *parsed;
  }
  void integer(const OptionInfo& i, int& value) override {
    if (!mine(i)) return;
    const std::optional<int> parsed = parse_integer(text_);
    if (!parsed) {
      const std::optional<double> large = parse_real(text_);
      if (large && *large == std::trunc(*large)) in_range(i, *large, true);
      fail(fmt::format("\"{}\" is not a whole number", text_));
    }
    in_range(i, *parsed, true);
    value = *parsed;
  }
  void flag(const OptionInfo& i, bool& value) override {
    if (!mine(i)) return;
    const std::optional<bool> parsed = parse_flag(text_);
    if (!parsed) fail(fmt::format("\"{}\" is neither true nor false", text_));
    value = *parsed;
  }
  void text(const OptionInfo& i, std::string& value) override {
    if (mine(i)) value = text_;
  }
  void choice(const OptionInfo& i, int& value, const std::vector<std::string>& names) override {
    if (!mine(i)) return;
    const auto at = std::find(names.begin(), names.end(), text_);
    if (at == names.end()) fail(unknown_name("choice", text_, names));
    value = static_cast<int>(at - names.begin());
  }

 private:
  bool mine(const OptionInfo& info) {
    if (name_ != info.name) return false;
    return found = true;
  }
  void in_range(const OptionInfo& info, double value, bool whole) const {
    if (info.holds(value)) return;
    const std::string unit = std::string(info.unit) == "1" ? "" : std::string(" ") + info.unit;
    fail(fmt::format("{} is out of range {}{}", text_, range_text(info, whole), unit));
  }
  [[noreturn]] void fail(const std::string& why) const { throw UsageError(what_ + ": " + why); }

  const std::string &name_, &text_, &what_;
};

}  // namespace

std::vector<OptionRow> option_rows(const Visitable& options) {
  Lister lister;
  options(lister);
  return lister.rows;
}

std::vector<OptionRow> member_rows(const std::function<void(ElementVisitor&)>& members) {
  Lister lister;
  members(lister);
  return lister.rows;
}

std::vector<OptionRow> function_rows(const std::string& kind) {
  Lister members;
  Function::of_kind(kind).visited(members, {"s", "value"});
  return std::move(members.rows);
}

std::vector<OptionValue> option_values(const Visitable& options) {
  Values visitor;
  options(visitor);
  return std::move(visitor.values);
}

void set_option(const Visitable& options, const std::string& name, const std::string& text,
                const std::string& what) {
  Setter setter(name, text, what);
  options(setter);
  if (setter.found) return;
  std::vector<std::string> names;
  for (const OptionValue& value : option_values(options)) names.push_back(value.name);
  throw UsageError(what + ": " + unknown_name("option", name, names));
}

Settings parse_settings(const std::vector<std::string>& assignments, const std::string& flag) {
  Settings values;
  Complaints complaints;
  for (const std::string& assignment : assignments) {
    const std::size_t equals = assignment.find('=');
    const std::string key = assignment.substr(0, equals), what = flag + " " + assignment + ": ";
    if (equals == std::string::npos || equals == 0)
      complaints.add(what + "write key=value");
    else if (!values.emplace(key, assignment.substr(equals + 1)).second)
      complaints.add(what + '"' + key + "\" is given twice");
  }
  if (complaints.any()) throw UsageError(complaints.text());
  return values;
}

void set_options(const Visitable& options, const Settings& values, const std::string& flag,
                 const std::string& owner) {
  Complaints complaints;
  for (const auto& [key, value] : values) {
    const std::string &name = key, &text = value;  // clang 14 captures no structured bindings
    complaints.attempt(
        [&] { set_option(options, name, text, flag + " " + name + "=" + text + " (" + owner + ")"); });
  }
  if (complaints.any()) throw UsageError(complaints.text());
}

Settings settings_of(const std::vector<OptionValue>& values) {
  Settings settings;
  for (const OptionValue& value : values) settings[value.name] = to_text(value);
  return settings;
}

}  // namespace catena
