// How far the quantities of a run may be off, by a second run with a finer setting.
#pragma once
#include <string>
#include <vector>

namespace catena {

// Of one quantity, whichever of its numbers is off most.
struct ErrorBar {
  std::string quantity, unit;
  double at_end = 0.0;            // the largest bar at the last instant
  double largest = 0.0, t = 0.0;  // the largest of all instants, and when [s]
  std::string column = {};        // where: "bodies/position x of link 3"
};

struct ErrorBars {
  std::string companion;  // what the second run has: "half of the step, 0.0005 s"; empty: none was asked for
  std::string missing = {};         // why there are no bars: a sentence
  double seconds = 0.0;             // that the second run took
  std::vector<ErrorBar> bars = {};  // in the order of the table
};

}  // namespace catena
