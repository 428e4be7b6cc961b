// Numbers without a pattern, for directions and poses at which nothing vanishes by symmetry.
#pragma once
#include <cmath>
#include <cstddef>

namespace catena::detail {

// Number k of a sequence in [0, 1): the fractional parts of k + 1 golden ratios and the offset. Neighbours differ by 0.38,
// and no two of them are equal.
inline double scattered(std::size_t k, double offset = 0.0) {
  const double turn = 0.618033988749895 * static_cast<double>(k + 1) + offset;
  return turn - std::floor(turn);
}

}  // namespace catena::detail
