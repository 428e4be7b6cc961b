// The largest magnitude of some numbers.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

namespace catena::detail {

// At least `at_least`; nan counts as nothing.
inline double largest_of(const double* x, int count, double at_least = 0.0) {
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

}  // namespace catena::detail
