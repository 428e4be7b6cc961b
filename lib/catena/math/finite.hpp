// Whether numbers are numbers.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace catena {

// The first that is infinite or not a number; -1: none. The usual answer takes a pass in whole numbers without a way
// out, so that compilers look at several at once.
inline int first_not_finite(const std::vector<double>& x) {
  constexpr std::uint64_t exponent = 0x7ffULL << 52U;
  bool wrong = false;
  for (const double value : x) wrong |= (std::bit_cast<std::uint64_t>(value) & exponent) == exponent;
  if (wrong)
    for (std::size_t k = 0; k < x.size(); ++k)
      if (!std::isfinite(x[k])) return static_cast<int>(k);
  return -1;
}

}  // namespace catena
