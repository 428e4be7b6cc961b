// What is kept of a row, from what was measured over time: numbers, and series.
#pragma once
#include <catena/experiment/parts/measured_table.hpp>

#include <string>
#include <vector>

namespace catena {

// What is kept of a column of Record::table, over its instants: Scenario::every, which for a sweep is 1 where anything but
// ends and series is kept, unless it says otherwise. Mean and rms by the trapezoidal rule over time.
struct Reduction {
  enum class Kind { end, minimum, maximum, mean, rms, crossing, instant, series };
  Kind kind = Kind::end;
  std::string column = {};  // "energy/kinetic", "bodies/position x of link 3"
  // crossing: the first time at which the column has this value; instant: the time of the value that is kept [s]. Between
  // instants by the cubic through the four nearest ones.
  double level = 0.0;

  friend bool operator==(const Reduction&, const Reduction&) = default;
};

struct ReducedNumber {
  double value = 0.0;  // nan: it never crosses the level, or has no such instant
  std::string unit = {};
};

// "max energy/kinetic": end, min, max, mean, rms, crossing=0.5, at=0.1 or series, and the column. Throws UsageError that
// begins with the text.
Reduction reduction_from_text(const std::string& text);
// The same, where at may have several instants: "at=0.1,0.2 energy/kinetic" are two.
std::vector<Reduction> reductions_from_text(const std::string& text);
std::string to_text(const Reduction& reduction);
// Whether it depends on instants before the end, and on how close they are.
bool is_over_time(const Reduction& reduction);
// Not of a series, which is the column itself. Throws std::invalid_argument, with the nearest names, where the table has no
// such column.
ReducedNumber reduced(const Reduction& reduction, const Table& table);
// Why an instant that is kept is none of a run from `begin` to `end` [s], of the first such one; empty: all are.
std::string outside(const std::vector<Reduction>& reductions, double begin, double end);
// What Scenario::record must name for it: "energy/kinetic", "bodies/position:\"link 3\"".
std::string quantity_of(const Reduction& reduction);

}  // namespace catena
