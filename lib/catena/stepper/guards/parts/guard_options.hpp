// Options of the guards: all of them at once, and each by its name.
#pragma once
#include <catena/math/option.hpp>

#include <cstdint>

namespace catena {

enum class GuardMode : std::uint8_t {
  on,      // a step that the guard refuses fails: it is cut, or the run ends with the reason
  report,  // the step is taken as it is; the statistics count it and say what the guard would have done
  off      // not looked at: the plain method of the paper
};
// Of one guard; as_all: as the option guards says.
enum class GuardChoice : std::uint8_t { as_all, on, report, off };

enum class GuardKind : std::uint8_t {
  dependent_rows,
  pole,
  resolution,
  velocity_level,
  gaps,
  forbidden_velocities,
  jumping_rows,  // these two: of explicit steppers, which ask them within an attempt
  stability
};
constexpr int guard_kinds = 8;
// Of the option and of the statistics: "guard_pole".
const char* guard_name(GuardKind kind);

// Which guards a method has.
class GuardSet {
 public:
  constexpr GuardSet() = default;
  constexpr GuardSet(std::initializer_list<GuardKind> kinds) {
    for (const GuardKind kind : kinds) *this = with(kind);
  }
  constexpr bool has(GuardKind kind) const { return ((bits_ >> static_cast<unsigned>(kind)) & 1u) != 0; }
  constexpr GuardSet with(GuardKind kind) const {
    GuardSet set = *this;
    set.bits_ |= 1u << static_cast<unsigned>(kind);
    return set;
  }

 private:
  unsigned bits_ = 0;
};

struct GuardOptions {
  GuardMode guards = GuardMode::on;
  GuardChoice dependent_rows = GuardChoice::as_all, pole = GuardChoice::as_all,
              resolution = GuardChoice::as_all, velocity_level = GuardChoice::as_all,
              gaps = GuardChoice::as_all, forbidden_velocities = GuardChoice::as_all,
              jumping_rows = GuardChoice::as_all, stability = GuardChoice::as_all;

  GuardMode mode(GuardKind kind) const;
};

// Lists the option guards and those of the guards in the set.
void visit_guards(OptionVisitor& visitor, GuardOptions& options, GuardSet set);

}  // namespace catena
