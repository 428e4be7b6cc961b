// The condition number of a small matrix, for studies of scaling. Cost n^3 per sweep: not for use in a step.
#pragma once
#include <catena/sparse/parts/block_matrix.hpp>

#include <vector>

namespace catena::detail {

// Dense, by rows.
struct DenseMatrix {
  int rows = 0, cols = 0;
  std::vector<double> values;
  DenseMatrix(int r, int c)
      : rows(r), cols(c), values(static_cast<std::size_t>(r) * static_cast<std::size_t>(c)) {}
  double& operator()(int i, int j) { return values[static_cast<std::size_t>(i * cols + j)]; }
  double operator()(int i, int j) const { return values[static_cast<std::size_t>(i * cols + j)]; }
};

// [H B; C -D], without the proximal term.
DenseMatrix to_dense(const BlockMatrix& matrix);

// The singular values, largest first, by one-sided Jacobi rotations of the columns (Demmel and Veselic 1992: each to
// high relative accuracy). rows >= cols.
std::vector<double> singular_values(DenseMatrix matrix);
// The same with the right singular vectors, of length 1: value k belongs to column k of `vectors`, in no order.
std::vector<double> singular_vectors(DenseMatrix matrix, DenseMatrix& vectors);

// Largest over smallest singular value; infinity where that vanishes.
double condition_number(const DenseMatrix& matrix);

}  // namespace catena::detail
