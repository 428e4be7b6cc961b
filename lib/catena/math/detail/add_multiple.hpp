// Sums of vectors, in rounds of a fixed number that compilers turn into lanes.
#pragma once
namespace catena::detail {

// to += factor * from; the two do not overlap.
inline void add_multiple(double factor, const double* from, int count, double* to) {
  constexpr int width = 8;
  int k = 0;
  for (; k + width <= count; k += width) {
    double x[width];
    for (int l = 0; l < width; ++l) x[l] = from[k + l];
    for (int l = 0; l < width; ++l) to[k + l] += factor * x[l];
  }
  for (; k < count; ++k) to[k] += factor * from[k];
}

}  // namespace catena::detail
