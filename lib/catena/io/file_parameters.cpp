#include <catena/io/detail/fields.hpp>
#include <catena/io/detail/file_parameters.hpp>
#include <catena/math/detail/nearest.hpp>

#include <cmath>

namespace catena::detail {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

bool is_name(std::string_view text) {
  if (text.empty() || !is_letter(text.front())) return false;
  for (const char c : text)
    if (!is_letter(c) && !(c >= '0' && c <= '9')) return false;
  return true;
}

// "-2*$k": a factor and a name; without a name it is nothing of that kind.
struct Reference {
  double factor = 1.0;
  std::string_view name = {};
};

Reference parse_reference(std::string_view text) {
  Reference out;
  const std::size_t dollar = text.find('$');
  std::string_view before = text.substr(0, dollar);
  while (before.ends_with(' ')) before.remove_suffix(1);
  if (before.ends_with('*')) {
    before.remove_suffix(1);
    while (before.ends_with(' ')) before.remove_suffix(1);
    const NumberWithUnit factor = parse_plain_number(before);
    if (!factor.error.empty()) return {};
    out.factor = factor.value;
  } else if (before == "-") {
    out.factor = -1.0;
  } else if (!before.empty() && before != "+") {
    return {};
  }
  text.remove_prefix(dollar + 1);
  if (is_name(text)) out.name = text;
  return out;
}

}  // namespace

std::string FileParameters::source(const Parameter& p) {
  return p.name + " is " + p.text + (p.given ? " by --set, in place of " : " at ") + place(p.at);
}

void FileParameters::add(const FileNode& section, const std::function<bool(const FileNode&)>& includes,
                         FileErrors& errors) {
  Fields fields(section, "parameters", errors);
  if (!section.is_map()) return;
  for (FileNode key = section.first(); key; key = key.next().next()) {
    if (!key.is_scalar()) continue;
    const std::string name(key.text());
    const FileNode value = fields.take(name.c_str());
    if (!value) continue;  // without a value, or given twice
    if (is_name(name))
      add_one(name, value, includes, errors);
    else
      fields.fail(key, "the name of a parameter has letters, digits and _, and begins with a letter, not " +
                           key.what());
  }
}

void FileParameters::add_one(const std::string& name, const FileNode& value,
                             const std::function<bool(const FileNode&)>& includes, FileErrors& errors) {
  const auto fail = [&](const std::string& why) { errors.add(value, "parameters: " + name + ": " + why); };
  Parameter p{.name = name, .text = value.is_scalar() ? std::string(value.text()) : "", .at = value};
  const NumberWithUnit of_file = parse_any_quantity(p.text);
  if (!value.is_scalar() || names_parameter(p.text))
    fail("a number with or without a unit belongs here, not " + value.what());
  else if (!of_file.error.empty())
    fail(of_file.error);
  p.good = of_file.error.empty();
  if (const auto found = number_.find(name); found != number_.end()) {
    const Parameter& before = parameters_[found->second];
    const bool conflict = !before.given && !includes(before.at) && before.text != p.text;
    if (conflict && p.good && before.good)
      fail(place(before.at) +
           " gives it another value, and neither file includes the other: give it in the file that includes "
           "both");
    return;
  }
  if (const auto given = given_.find(name); given != given_.end()) {
    p.text = given->second;
    p.given = true;
    if (const NumberWithUnit wanted = parse_any_quantity(p.text); !wanted.error.empty()) {
      fail("--set " + name + "=" + p.text + ": " + wanted.error);
      p.good = false;
    }
  }
  number_.emplace(name, parameters_.size());
  parameters_.push_back(std::move(p));
}

NumberWithUnit FileParameters::value(const FileNode& at, const char* unit) {
  const Reference reference = parse_reference(at.text());
  if (reference.name.empty())
    return {0.0, "a parameter is named as $k, -$k or 2*$k, not " + at.what() + "; there are no expressions"};
  const auto found = number_.find(reference.name);
  if (found == number_.end()) {
    std::vector<std::string> names;
    for (const Parameter& p : parameters_) names.push_back(p.name);
    const std::string name(reference.name.substr(0, 60)), hint = nearest_hint(name, names);
    return {0.0, "there is no parameter \"" + name + '"' + (hint.empty() ? "" : " (" + hint + ")") +
                     (names.empty() ? "; the section parameters would give it" : "")};
  }
  Parameter& p = parameters_[found->second];
  if (!p.good) {  // reported there
    if (!p.use) p.use = at;
    return {reference.factor, ""};
  }
  const NumberWithUnit q = parse_quantity(p.text, unit);
  if (!q.error.empty()) return {0.0, q.error + " (" + source(p) + ")"};
  if (!p.use) {
    p.use = at;
    p.unit = unit;
    p.value = q.value;
  } else if (!same_measure(unit, p.unit.c_str())) {
    const auto shown = [](const std::string& u) {
      return u.empty() || u == "1" ? std::string("as a pure number") : "in " + u;
    };
    return {0.0, "counts " + shown(unit) + " here and " + shown(p.unit) + " at " + place(p.use) +
                     ": two parameters are needed (" + source(p) + ")"};
  }
  const double value = reference.factor * q.value;
  if (!std::isfinite(value))
    return {0.0, "must be a finite number, is " + at.what() + " (" + source(p) + ")"};
  return {value, ""};
}

void FileParameters::replaced(const FileNode& at) {
  const auto found = number_.find(parse_reference(at.text()).name);
  if (found != number_.end()) parameters_[found->second].replaced = true;
}

void FileParameters::refuse_unused(FileErrors& errors) const {
  for (const Parameter& p : parameters_)
    if (!p.use && !p.replaced)
      errors.add(p.at, "parameters: " + p.name + ": no number names it: write $" + p.name +
                           " where it counts, or remove it");
}

std::vector<OptionValue> FileParameters::values() const {
  std::vector<OptionValue> all;
  for (const Parameter& p : parameters_)
    if (p.use) all.push_back({p.name, p.unit, p.value});
  return all;
}

NumberWithUnit parameter_value(const FileNode& at, const char* unit) {
  if (const auto& parameters = at.document().parameters()) return parameters->value(at, unit);
  return {0.0, "there are no parameters here: " + at.what()};
}

}  // namespace catena::detail
