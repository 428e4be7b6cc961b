// Options of the guards: all of them at once, and each by its name.
#pragma once
#include <catena/math/option.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace catena {

class StepGuard;

enum class GuardMode : std::uint8_t {
  on,      // a step that the guard refuses fails: it is cut, or the run ends with the reason
  report,  // the step is taken as it is; the statistics count it and say what the guard would have done
  off      // not looked at: the plain method of the paper
};
// Of one guard; as_all: as the option guards says.
enum class GuardChoice : std::uint8_t { as_all, on, report, off };

// A kind of guard, known by its name alone. It is declared beside the guard (guard.hpp) and is listed where a method
// has it; no other place knows which there are.
struct GuardType {
  const char* name;     // of the option and of the statistics: "guard_pole"
  const char* meaning;  // one line
  // Empty: asked within an attempt, where its matrices are factorised.
  std::unique_ptr<StepGuard> (*make)() = nullptr;
};

// The guards of a method, in the order in which they are asked.
using GuardSet = std::vector<const GuardType*>;

struct GuardOptions {
  GuardMode guards = GuardMode::on;

  GuardChoice& operator[](const GuardType& type);
  GuardMode mode(const GuardType& type) const;

 private:
  struct Choice {
    std::string name;
    GuardChoice choice = GuardChoice::as_all;
  };
  std::vector<Choice> choices_;  // of guards that were asked for by name
};

// Lists the option guards and those of the guards in the set.
void visit_guards(OptionVisitor& visitor, GuardOptions& options, const GuardSet& set);

}  // namespace catena
