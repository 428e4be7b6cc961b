// Finds infinite numbers and NaN in arrays.
#pragma once
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace catena {

// Whether |x| < limit for all of them; false for NaN. Compares bits as integers, eight at a time and without an early
// exit, so that compilers vectorise it: every step calls it.
inline bool all_below(const std::vector<double>& x, double limit) {
  constexpr std::size_t width = 8;
  constexpr std::uint64_t sign = 1ULL << 63U;
  const std::uint64_t largest = std::bit_cast<std::uint64_t>(limit) - 1;
  std::uint64_t wrong[width] = {};  // the sign of largest - |x|
  std::size_t i = 0;
  for (; i + width <= x.size(); i += width)
    for (std::size_t l = 0; l < width; ++l)
      wrong[l] |= largest - (std::bit_cast<std::uint64_t>(x[i + l]) & ~sign);
  for (; i < x.size(); ++i) wrong[0] |= largest - (std::bit_cast<std::uint64_t>(x[i]) & ~sign);
  for (std::size_t l = 1; l < width; ++l) wrong[0] |= wrong[l];
  return (wrong[0] & sign) == 0;
}

// The index of the first that is infinite or NaN; -1: none.
inline int first_not_finite(const std::vector<double>& x) {
  if (all_below(x, std::numeric_limits<double>::infinity())) return -1;
  std::size_t k = 0;
  while (std::isfinite(x[k])) ++k;
  return static_cast<int>(k);
}

}  // namespace catena
