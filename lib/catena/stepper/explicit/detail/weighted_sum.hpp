// Sums of stages with the coefficients of a table: where an explicit step spends its own time.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

namespace catena::detail {

using StageRows = std::vector<std::vector<double>>;  // of numbers of one size each

// out_i = from_i + h sum_j weights_j k_j,i, in the order of j; from null: 0. Eight components at a time, which compilers
// turn into lanes; out may be from.
inline void weighted_sum(const std::vector<double>& weights, const StageRows& k, double h, const double* from,
                         std::vector<double>& out) {
  constexpr std::size_t width = 8;
  const std::size_t n = out.size();
  for (std::size_t i = 0; i < n; i += width) {
    double sum[width] = {};
    const std::size_t count = std::min(width, n - i);
    for (std::size_t j = 0; j < weights.size(); ++j) {
      const double* const row = k[j].data() + i;
      const double weight = weights[j];
      if (count == width)
        for (std::size_t l = 0; l < width; ++l) sum[l] += weight * row[l];
      else
        for (std::size_t l = 0; l < count; ++l) sum[l] += weight * row[l];
    }
    for (std::size_t l = 0; l < count; ++l) out[i + l] = (from == nullptr ? 0.0 : from[i + l]) + h * sum[l];
  }
}

}  // namespace catena::detail
