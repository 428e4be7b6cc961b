// The product with the transposed matrix, for adjoints.
#pragma once
#include <catena/sparse/parts/block_matrix.hpp>

namespace catena::detail {

// y = A^T x with A = [H B; C -D], primal first; x and y of pattern().dimension() values, not aliased. Allocates nothing.
void multiply_transposed(const BlockMatrix& matrix, const double* x, double* y);

}  // namespace catena::detail
