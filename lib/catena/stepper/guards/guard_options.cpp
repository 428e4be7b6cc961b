#include <catena/stepper/guards/parts/guard_options.hpp>

namespace catena {
namespace {

struct GuardEntry {
  const char* name;
  const char* meaning;
  GuardChoice GuardOptions::*choice;
};

const GuardEntry& guard_entry(GuardKind kind) {
  static const GuardEntry entries[guard_kinds] = {
      {"guard_dependent_rows", "a step whose rows are about to depend on others fails, and names them",
       &GuardOptions::dependent_rows},
      {"guard_pole", "a step that crosses a pole of the multipliers fails, and names the constraints",
       &GuardOptions::pole},
      {"guard_resolution", "steps end where roundoff of positions over h^2 makes the multipliers noise",
       &GuardOptions::resolution},
      {"guard_velocity_level", "index 3: a step fails where the velocity residual shows an unstable method",
       &GuardOptions::velocity_level},
      {"guard_gaps", "index 1 and 2: a step fails where joints have come apart", &GuardOptions::gaps},
      {"guard_forbidden_velocities",
       "index 1: a step fails where velocities that the rows forbid carry a part of the kinetic energy",
       &GuardOptions::forbidden_velocities},
      {"guard_jumping_rows", "a step within which rows jump fails, and names the constraint",
       &GuardOptions::jumping_rows},
      {"guard_stability", "a run ends whose steps stability limits, not accuracy", &GuardOptions::stability},
  };
  return entries[static_cast<int>(kind)];
}

}  // namespace

const char* guard_name(GuardKind kind) { return guard_entry(kind).name; }

GuardMode GuardOptions::mode(GuardKind kind) const {
  const GuardChoice choice = this->*guard_entry(kind).choice;
  if (choice == GuardChoice::as_all) return guards;
  return static_cast<GuardMode>(static_cast<int>(choice) - 1);
}

void visit_guards(OptionVisitor& visitor, GuardOptions& options, GuardSet set) {
  visit_choice(visitor,
               {"guards", "",
                "all guards: on, report (take the step, count it, and say what the guard would have done) or "
                "off (the plain method)"},
               options.guards, {"on", "report", "off"});
  for (int k = 0; k < guard_kinds; ++k) {
    const auto kind = static_cast<GuardKind>(k);
    if (!set.has(kind)) continue;
    const GuardEntry& entry = guard_entry(kind);
    visit_choice(visitor, {entry.name, "", entry.meaning}, options.*entry.choice,
                 {"as_guards", "on", "report", "off"});
  }
}

}  // namespace catena
