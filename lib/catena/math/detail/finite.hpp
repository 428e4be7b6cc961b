// Finds infinite numbers and NaN in arrays.
#pragma once
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace catena::detail {

// Whether |x| < limit for all of them; false for NaN. Compares bits as integers, two lanes of two at a time and without
// an early exit: every step calls it.
inline bool all_below(const std::vector<double>& x, double limit) {
  using Lanes = std::uint64_t __attribute__((vector_size(16)));
  constexpr std::ptrdiff_t width = 2;
  constexpr std::uint64_t sign = 1ULL << 63U;
  const std::uint64_t bound = std::bit_cast<std::uint64_t>(limit);
  const auto below = [&](const double* p) -> Lanes {  // the sign of |x| - limit
    Lanes bits;
    std::memcpy(&bits, p, sizeof bits);
    return (bits & ~sign) - bound;
  };
  Lanes one = {sign, sign}, other = one;
  const double* p = x.data();
  const double* const end = p + x.size();
  for (; end - p >= 2 * width; p += 2 * width) {
    one &= below(p);
    other &= below(p + width);
  }
  std::uint64_t all = one[0] & one[1] & other[0] & other[1];
  for (; p != end; ++p) all &= (std::bit_cast<std::uint64_t>(*p) & ~sign) - bound;
  return (all & sign) != 0;
}

// The index of the first that is infinite or NaN; -1: none.
inline int first_not_finite(const std::vector<double>& x) {
  if (all_below(x, std::numeric_limits<double>::infinity())) return -1;
  std::size_t k = 0;
  while (std::isfinite(x[k])) ++k;
  return static_cast<int>(k);
}

}  // namespace catena::detail
