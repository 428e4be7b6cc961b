// What the numbers of a row primitive mean. Everything outside rows/ asks this, and never which primitive it is.
#pragma once

namespace catena {

enum class RowUnit {
  length,  // [m]
  sine,    // of the angle by which an axis is off its direction [1]; [rad] to first order
  angle,   // [rad]
  speed,   // [m/s]
};

// How the positions of the bodies enter.
enum class PositionUse {
  none,        // only orientations enter
  difference,  // differences of positions alone, so that a common shift of all bodies changes nothing
  world,       // the positions themselves
};

// What stays open of the difference that the rows hold, however closed they are: their roundoff follows the motion.
enum class Open {
  nothing,
  way,  // from a point of the first body to points of the others, along a line or a plane
  sum,  // of the coordinates of a coupling: behind the points, its parameters are as rows/coupling.hpp has them
};

// Two bodies: where the first one feels the opposite of what the second one feels at its point.
enum class Opposite {
  none,             // not stated: both sides must be reported
  at_own_point,     // at the point of the first body; a pure torque likewise
  at_second_point,  // at the place of the second body's point
};

// Of one natural group of rows.
struct RowsMeaning {
  RowUnit unit = RowUnit::length;
  PositionUse positions = PositionUse::world;
  // The parameters begin with this many points, one a body, in the frames of their bodies [m]. The reaction on a body
  // is reported at its point; at the centre of mass where there is none.
  int points = 0;
  // A further length among the parameters that adds to the size of the gap (a rod) [m]; -1: none.
  int length_parameter = -1;
  Open open = Open::nothing;
  Opposite opposite = Opposite::none;
  // They see the time: what they prescribe may move by itself and supply power.
  bool driven = false;
  // lambda itself is the force on the first body in world axes [N], without a torque about the point.
  bool multiplier_is_force = false;
  // For reports: by how much the rows are violated, in the unit below; of a distance with its sign (positive: too long).
  // rows: values of the gap; parameters: of the group. Null: by the largest row, unit not known.
  double (*violation)(const double* rows, const double* parameters) = nullptr;
  const char* violation_unit = "";  // "m", "rad", "m/s"
};

// A group of rows of an element: where its rows are among those of the element, and its parameters likewise.
struct RowGroup {
  int row = 0, rows = 0;
  int parameter = 0;
  RowsMeaning meaning = {};
};

}  // namespace catena
