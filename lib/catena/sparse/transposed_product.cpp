#include <catena/sparse/detail/transposed_product.hpp>

#include <algorithm>

namespace catena::detail {
namespace {

// y += A x, or A^T x.
void add(const ConstBlockRef& A, const double* x, double* y) {
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < A.cols; ++j) y[i] += A(i, j) * x[j];
}
void add_transposed(const ConstBlockRef& A, const double* x, double* y) {
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < A.cols; ++j) y[j] += A(i, j) * x[i];
}

}  // namespace

void multiply_transposed(const BlockMatrix& matrix, const double* x, double* y) {
  const BlockPattern& p = matrix.pattern();
  const auto primal = [&](int k) { return p.primal_offset[static_cast<std::size_t>(k)]; };
  const auto dual = [&](int k) { return p.dual_offset[static_cast<std::size_t>(k)]; };
  std::fill(y, y + p.dimension(), 0.0);
  for (int k = 0; k < p.primal_count(); ++k) add_transposed(matrix.H(k), x + primal(k), y + primal(k));
  for (std::size_t k = 0; k < p.couplings.size(); ++k) {
    const int i = primal(p.couplings[k].i), j = primal(p.couplings[k].j), number = static_cast<int>(k);
    add_transposed(matrix.H_upper(number), x + i, y + j);
    add_transposed(matrix.H_lower(number), x + j, y + i);
  }
  for (std::size_t k = 0; k < p.incidences.size(); ++k) {
    const int d = dual(p.incidences[k].dual), b = primal(p.incidences[k].primal),
              number = static_cast<int>(k);
    add_transposed(matrix.C(number), x + d, y + b);
    add(matrix.Bt(number), x + b, y + d);
  }
  for (int k = 0; k < p.dual_count(); ++k)
    for (int i = 0; i < p.dual_size[static_cast<std::size_t>(k)]; ++i)
      y[dual(k) + i] -= matrix.D(k)[i] * x[dual(k) + i];
}

}  // namespace catena::detail
