// Directions that rows are made of, in double; at set-up only.
#pragma once
#include <catena/math/small.hpp>

namespace catena::rows {
inline namespace CATENA_ISA {

inline Vec<double, 3> unit(const Vec<double, 3>& a) { return (1.0 / norm(a)) * a; }

// The first of two directions across the unit vector a: made from the axis that is most nearly normal to it.
// The second is cross(a, first).
inline Vec<double, 3> across(const Vec<double, 3>& a) {
  int least = 0;
  for (int k = 1; k < 3; ++k)
    if (abs(a[k]) < abs(a[least])) least = k;
  return unit(cross(a, Vec<double, 3>::Unit(least)));
}

// side without its part along the unit vector axis, of unit length; across(axis) where side is zero.
inline Vec<double, 3> side_across(const Vec<double, 3>& axis, const Vec<double, 3>& side) {
  if (side[0] == 0.0 && side[1] == 0.0 && side[2] == 0.0) return across(axis);
  return unit(side - dot(side, axis) * axis);
}

}  // namespace CATENA_ISA
}  // namespace catena::rows
