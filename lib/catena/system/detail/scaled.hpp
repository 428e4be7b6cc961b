// Velocities and increments in units of SystemLayout::scale, in which all components compare.
#pragma once
#include <catena/system/system.hpp>

#include <algorithm>
#include <cmath>

namespace catena::detail {

// [1/s] of scale: slower velocities are those of roundoff and drift, not of a motion. Chosen, not derived: so slow, a body
// takes three hours to move by its own size.
inline constexpr double speed_at_rest = 1e-4;

// The largest of them; nan counts as nothing.
inline double largest_scaled(const SystemLayout& layout, const double* x) {
  double largest = 0.0;
  for (int k = 0; k < layout.v_size(); ++k)
    largest = std::max(largest, std::abs(x[k]) / layout.scale[static_cast<std::size_t>(k)]);
  return largest;
}

// Which one it is.
inline int fastest_component(const SystemLayout& layout, const double* v) {
  int fastest = 0;
  double top = 0.0;
  for (int k = 0; k < layout.v_size(); ++k) {
    const double speed = std::abs(v[k]) / layout.scale[static_cast<std::size_t>(k)];
    if (!(speed > top)) continue;
    top = speed;
    fastest = k;
  }
  return fastest;
}

}  // namespace catena::detail
