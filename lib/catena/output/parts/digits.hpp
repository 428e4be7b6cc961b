// How many digits all that a run has measured has, and how that is known.
#pragma once
#include <string>
#include <vector>

namespace catena {

// A quantity has d digits where its error bar is at most half a unit of the d-th digit of the largest value with its unit in the
// run.
struct Digits {
  int asked = 0;         // 0: nobody did
  double reached = 0.0;  // of the quantity that has fewest, at most 16; counted in tenths, from its bar
  // That quantity, its largest bar, and the largest value with its unit.
  std::string quantity = {}, unit = {};
  double bar = 0.0, size = 0.0;
  std::string setting = {};             // "dop853 with a tolerance of 1e-07"
  std::vector<std::string> tried = {};  // what else was: a stepper or a setting, and what came of it
  std::string missing = {};             // why there are fewer than asked for; empty: there are as many
};

}  // namespace catena
