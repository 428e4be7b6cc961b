// Rules of integration through given nodes.
#pragma once
#include <array>
#include <cstddef>

namespace catena::detail {

// Of the polynomial that is 1 at node i and 0 at the others of `count` nodes, at most `most`: its integral from 0 to s.
template <std::size_t most>
double interpolating_weight(const std::array<double, most>& node, std::size_t count, std::size_t i,
                            double s) {
  std::array<double, most> factor{1.0};  // of the powers of the argument
  std::size_t degree = 0;
  for (std::size_t j = 0; j < count; ++j) {
    if (j == i) continue;
    const double per = 1.0 / (node[i] - node[j]);
    ++degree;
    for (std::size_t k = degree; k > 0; --k) factor[k] = per * (factor[k - 1] - node[j] * factor[k]);
    factor[0] *= -node[j] * per;
  }
  double weight = 0.0;
  for (std::size_t k = degree + 1; k-- > 0;) weight = (weight + factor[k] / static_cast<double>(k + 1)) * s;
  return weight;
}

}  // namespace catena::detail
