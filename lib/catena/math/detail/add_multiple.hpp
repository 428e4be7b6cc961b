// Sums of vectors.
#pragma once
#include <catena/math/detail/array_kernels.hpp>

namespace catena::detail {

// to += factor * from; the two do not overlap.
inline void add_multiple(double factor, const double* from, int count, double* to) {
  constexpr int few = 16;  // less than a call
  if (count > few) return array_kernels().add_multiple(factor, from, count, to);
  for (int k = 0; k < count; ++k) to[k] += factor * from[k];
}

}  // namespace catena::detail
