#include <catena/math/detail/printed.hpp>
#include <catena/measure/detail/choices.hpp>
#include <catena/measure/parts/quantity_catalog.hpp>
#include <catena/measure/parts/reaction_rule.hpp>

#include <charconv>
#include <cmath>
#include <system_error>

namespace catena {
using namespace detail;
namespace {

const char* const forms =
    "norm:LENGTH in m, or stiffness:FORCE:TORQUE in N/m and N m/rad, with joints of their own behind it, "
    "stiffness:1e6:1e4,leg 1:2e6:1e4";

double positive(const std::string& text, const std::string& of) {
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stopped != end || !(value > 0.0) || !std::isfinite(value))
    throw SelectionError(of + " is a number above 0, not \"" + text + "\"");
  return value;
}

JointStiffness stiffness_of(const Choice& choice) {
  const std::string name = "\"" + choice.word + "\"";
  if (choice.items.size() != 2)
    throw SelectionError(name + " needs two stiffnesses, of the force and of the torque: " + choice.word +
                         ":1e6:1e4 in N/m and N m/rad");
  return {positive(choice.items[0], "the stiffness [N/m] of " + name),
          positive(choice.items[1], "the stiffness [N m/rad] of " + name)};
}

}  // namespace

ReactionRule reaction_rule(const std::string& text) {
  ReactionRule rule;
  if (text.find_first_not_of(' ') == std::string::npos) return rule;
  const std::vector<Choice> choices = parse_choices(text);
  const Choice& first = choices.front();
  rule.text = text;
  if (first.word == "norm") {
    if (first.items.size() != 1)
      throw SelectionError("\"norm\" needs one length, over which torques count as forces: norm:0.3 in m");
    if (choices.size() > 1)
      throw SelectionError("\"norm:" + first.items.front() + "\" is for all joints: leave \"" +
                           choices[1].word + "\" out, or share by stiffness");
    rule.length = positive(first.items.front(), "the length [m] of \"norm\"");
    rule.common = {1.0, rule.length * rule.length};
    return rule;
  }
  if (first.word != "stiffness")
    throw SelectionError("there is no rule \"" + first.word + "\" for reactions: write " + forms);
  rule.common = stiffness_of(first);
  for (std::size_t k = 1; k < choices.size(); ++k) {
    for (const ReactionRule::Joint& joint : rule.joints)
      if (joint.name == choices[k].word)
        throw SelectionError("the joint \"" + joint.name + "\" has two stiffnesses: leave one out");
    rule.joints.push_back({choices[k].word, stiffness_of(choices[k])});
  }
  return rule;
}

std::string describe(const ReactionRule& rule) {
  if (rule.text.empty()) return "those that the stepper has chosen";
  if (rule.length > 0.0)
    return printed("the least sum of the squares of forces, and of torques over %g m", rule.length);
  const auto stiffness = [](const JointStiffness& s) {
    return printed("%g N/m and %g N m/rad", s.force, s.torque);
  };
  std::string text = "shared by stiffness, " + stiffness(rule.common) + " of a joint";
  for (const ReactionRule::Joint& joint : rule.joints)
    text += ", " + stiffness(joint.stiffness) + " of \"" + joint.name + "\"";
  return text;
}

}  // namespace catena
