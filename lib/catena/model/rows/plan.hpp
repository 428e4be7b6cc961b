// How the rows of a joint are evaluated: the groups that it is made of, and the compiled functions that evaluate them.
#pragma once
#include <catena/math/parts/level.hpp>
#include <catena/model/rows/meaning.hpp>

#include <vector>

namespace catena {

// A part of an element that one compiled function evaluates.
struct Stage {
  int function = -1;      // its number (lane_functions.hpp); -1: the pool evaluates its elements itself
  int row = 0, rows = 0;  // of the element's rows
  int parameter = 0, parameters = 0;  // of the element's parameters
  PositionUse positions = PositionUse::world;
  int points = 0;        // the stage's parameters begin with so many points (rows/meaning.hpp)
  bool targets = false;  // its function reads KernelArgs::targets
};

struct Plan {
  std::vector<Stage> stages;
  std::vector<RowGroup> groups;
  int parameters = 0;
};

namespace rows {

// A row primitive or a compiled stack of them, without its scalar.
struct KernelInfo {
  int function = -1;
  int rows = 0, parameters = 0, bodies = 0;
  Level level = Level::position;
  bool couples = false;
  RowsMeaning meaning = {};
  bool targets = false;  // they follow functions of time, which the pool evaluates
};

// What rows that are known at run time only are made of. Elements of one shape are evaluated in lanes together.
struct Shape {
  int bodies = 0;
  std::vector<KernelInfo> kernels = {};
  std::vector<int> key =
      {};            // what else their parameters must have in common: the kinds of a coupling's terms
  int discrete = 0;  // discrete values of an element

  bool same_as(const Shape& other) const;
};

// Neighbours for which there is a compiled stack share one stage.
Plan plan_rows(const std::vector<KernelInfo>& primitives);

}  // namespace rows
}  // namespace catena
