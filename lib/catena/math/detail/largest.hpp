// The largest magnitude of some numbers.
#pragma once
#include <catena/math/detail/array_kernels.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace catena::detail {

// At least `at_least`; nan counts as nothing.
inline double largest_of(const double* x, int count, double at_least = 0.0) {
  constexpr int few = 16;  // those of a body or a joint: less than a call
  if (count > few) return array_kernels().largest(x, count, at_least);
  for (int k = 0; k < count; ++k) at_least = std::max(at_least, std::abs(x[k]));
  return at_least;
}
inline double largest_of(const std::vector<double>& x, double at_least = 0.0) {
  return largest_of(x.data(), static_cast<int>(x.size()), at_least);
}

// nan where one of them is nan.
inline double largest_or_nan(const std::vector<double>& x) {
  for (const double value : x)
    if (std::isnan(value)) return value;
  return largest_of(x);
}

// The number of the first of the largest magnitude, 0 without numbers; nan counts as nothing, unless it is the first.
inline int number_of_largest(const double* x, int count) {
  if (count == 0 || std::isnan(x[0])) return 0;
  const double largest = largest_of(x, count);
  int k = 0;
  while (std::abs(x[k]) != largest) ++k;
  return k;
}

}  // namespace catena::detail
