// How large position rows and the numbers in them are.
#pragma once
#include <catena/system/system.hpp>

#include <algorithm>
#include <cmath>

namespace catena {

// Size of the numbers whose roundoff the position rows that are lengths see at q [m].
inline double roundoff_length_at(const SystemLayout& layout, const double* q) {
  if (layout.roundoff_length > 0.0) return layout.roundoff_length;
  double length = 1.0;
  for (int k = 0; k < layout.q_size; ++k) length = std::max(length, std::abs(q[k]));
  return length;
}

// What a gap of a joint is large or small beside: SystemLayout::reach, or of coordinates of their own the largest scale.
inline double size_of_gaps(const SystemLayout& layout) {
  return layout.reach > 0.0 ? layout.reach : *std::max_element(layout.scale.begin(), layout.scale.end());
}

}  // namespace catena
