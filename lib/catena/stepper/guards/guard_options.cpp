#include <catena/stepper/guards/parts/guard_options.hpp>

#include <algorithm>

namespace catena {

GuardChoice& GuardOptions::operator[](const GuardType& type) {
  const auto known =
      std::find_if(choices_.begin(), choices_.end(), [&](const Choice& c) { return c.name == type.name; });
  if (known != choices_.end()) return known->choice;
  choices_.push_back({type.name});
  return choices_.back().choice;
}

GuardMode GuardOptions::mode(const GuardType& type) const {
  for (const Choice& c : choices_)
    if (c.name == type.name && c.choice != GuardChoice::as_all)
      return static_cast<GuardMode>(static_cast<int>(c.choice) - 1);
  return guards;
}

void visit_guards(OptionVisitor& visitor, GuardOptions& options, const GuardSet& set) {
  visit_choice(visitor,
               {"guards", "",
                "all guards: on, report (take the step, count it, and say what the guard would have done) or "
                "off (the plain method)"},
               options.guards, {"on", "report", "off"});
  for (const GuardType* type : set)
    visit_choice(visitor, {type->name, "", type->meaning}, options[*type],
                 {"as_guards", "on", "report", "off"});
}

}  // namespace catena
