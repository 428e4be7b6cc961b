// Options are aggregates with defaults; one function visit(OptionVisitor&, TheOptions&) lists every member
// with its name, unit, range and reason. Command line, listings, manifests and files all derive from it.
#pragma once
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

namespace catena {

// The texts are read while the visitor is called, and copied where they are kept: those of options that are made at run
// time may be strings of their owner.
struct OptionInfo {
  const char* name;     // as typed by the user, snake_case
  const char* unit;     // "1", "s", "m", "kg", "rad/s", ...
  const char* meaning;  // one line: what it does and why one would change it
  double minimum = -std::numeric_limits<double>::infinity();  // inclusive, for numbers
  double maximum = std::numeric_limits<double>::infinity();
  bool above_minimum = false;  // the minimum itself is out of the range
  bool tolerance = false;      // of the local error: a tolerance for the whole run is written here

  bool holds(double value) const {
    return (above_minimum ? value > minimum : value >= minimum) && value <= maximum;
  }
};

inline OptionInfo tolerance_option(OptionInfo info) {
  info.tolerance = true;
  return info;
}

class OptionVisitor {
 public:
  virtual ~OptionVisitor() = default;
  virtual void real(const OptionInfo& info, double& value) = 0;
  virtual void integer(const OptionInfo& info, int& value) = 0;
  virtual void flag(const OptionInfo& info, bool& value) = 0;
  virtual void text(const OptionInfo& info, std::string& value) = 0;
  // One of the named choices; value is the index of it.
  virtual void choice(const OptionInfo& info, int& value, const std::vector<std::string>& names) = 0;
};

// An enumeration whose values count from 0, in the order of names.
template <class E>
void visit_choice(OptionVisitor& visitor, const OptionInfo& info, E& value,
                  const std::vector<std::string>& names) {
  int index = static_cast<int>(value);
  visitor.choice(info, index, names);
  value = static_cast<E>(index);
}

}  // namespace catena
