// Products with single blocks of a BlockMatrix, for the few loops that walk its incidences one by one.
#pragma once
#include <catena/sparse/parts/block_matrix.hpp>

namespace catena::detail {

// add_transposed() of a known width, which compilers unroll.
template <int cols>
void add_transposed_of_width(const double* a, int rows, const double* x, double factor, double* out) {
  constexpr int stride = BlockMatrix::stride;
  double sum[cols];
  for (int j = 0; j < cols; ++j) sum[j] = out[j];
  for (int i = 0; i < rows; ++i) {
    const double by = factor * x[i];
    for (int j = 0; j < cols; ++j) sum[j] += a[(i * cols + j) * stride] * by;
  }
  for (int j = 0; j < cols; ++j) out[j] = sum[j];
}

// out += factor a^T x; x [a.rows], out [a.cols], not aliased. Six and seven columns are those of bodies.
inline void add_transposed(const ConstBlockRef& a, const double* x, double factor, double* out) {
  if (a.cols == 6) {
    add_transposed_of_width<6>(a.data, a.rows, x, factor, out);
  } else if (a.cols == 7) {
    add_transposed_of_width<7>(a.data, a.rows, x, factor, out);
  } else {
    for (int i = 0; i < a.rows; ++i)
      for (int j = 0; j < a.cols; ++j) out[j] += a(i, j) * (factor * x[i]);
  }
}

}  // namespace catena::detail
