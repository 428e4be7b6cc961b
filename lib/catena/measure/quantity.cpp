#include <catena/math/detail/index.hpp>
#include <catena/measure/quantity.hpp>

#include <algorithm>
#include <cctype>

namespace catena {
using namespace detail;
namespace {

bool is_name(const std::string& text) {
  if (text.empty() || text.front() == '/' || text.back() == '/' || text.find("//") != std::string::npos)
    return false;
  return std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.' || c == '/';
  });
}

}  // namespace

const char* axis_name(Items items) {
  switch (items) {
    case Items::one:
      return "";
    case Items::body:
      return "body";
    case Items::row:
      return "row";
    case Items::side:
      return "side";
    case Items::point:
      return "point";
    case Items::coordinate:
      return "coordinate";
    case Items::velocity:
      return "velocity";
    case Items::discrete:
      return "value";
    case Items::joint:
      return "joint";
    case Items::force:
      return "force";
    case Items::constraint:
      return "constraint";
  }
  return "";
}

const char* describe(Needs needs) {
  switch (needs) {
    case Needs::nothing:
      return "all";
    case Needs::stepper:
      return "runs";
    case Needs::monitor:
      return "monitored runs";
    case Needs::bodies:
      return "bodies";
    case Needs::model:
      return "models";
    case Needs::constraints:
      return "with constraints";
    case Needs::sides:
      return "joints";
    case Needs::discrete:
      return "discrete state";
    case Needs::points:
      return "observed points";
    case Needs::markers:
      return "joints with markers";
    case Needs::forces:
      return "forces";
  }
  return "";
}

std::string Quantity::column_title(int k) const {
  std::string title;
  if (titles.empty())
    title = components.empty() ? name : name + ' ' + components[index(k)];
  else
    title = titles[index(k)];
  return title + " [" + unit + ']';
}

std::string Quantity::shape() const {
  std::string text = axis_name(items);
  if (!components.empty()) text += (text.empty() ? "" : ", ") + std::to_string(components.size());
  return text;
}

std::string defect(const Quantity& quantity) {
  const std::string who = "the quantity \"" + quantity.name + "\"";
  if (!is_name(quantity.name))
    return who + ": a name is made of letters, digits, _, -, . and / between a group and its members";
  if (quantity.unit.empty()) return who + " has no unit: \"1\" is that of pure numbers";
  if (!quantity.evaluate && !quantity.complete) return who + " has no function that evaluates it";
  if (quantity.integrated && (!quantity.evaluate || quantity.complete))
    return who + " is integrated over time: it has evaluate(), the rate, and no complete()";
  if (!quantity.titles.empty() && static_cast<int>(quantity.titles.size()) != quantity.component_count())
    return who + " has " + std::to_string(quantity.titles.size()) + " titles for " +
           std::to_string(quantity.component_count()) + " components";
  return {};
}

}  // namespace catena
