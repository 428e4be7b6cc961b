// Finds infinite numbers and NaN in arrays.
#pragma once
#include <catena/math/detail/array_kernels.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace catena::detail {

// Whether |x| < limit for all of them; false for NaN. 0 < limit <= infinity.
inline bool all_below(const std::vector<double>& x, double limit) {
  const LargestNumber found = array_kernels().largest_number(x.data(), static_cast<int>(x.size()));
  return found.not_finite == 0.0 && found.value < limit;
}

// The index of the first that is infinite or NaN; -1: none.
inline int first_not_finite(const std::vector<double>& x) {
  if (all_below(x, std::numeric_limits<double>::infinity())) return -1;
  std::size_t k = 0;
  while (std::isfinite(x[k])) ++k;
  return static_cast<int>(k);
}

}  // namespace catena::detail
