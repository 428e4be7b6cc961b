// From the unknowns of a library back to blocks.
#pragma once
#include <catena/sparse/linear_solver.hpp>

#include <vector>

namespace catena::detail {

// Writes the block that holds `unknown` into the report's culprit; -1: no culprit.
void locate(const BlockPattern& pattern, int unknown, FactorReport& report);

// Status not_finite with its culprit if `values`, which came from the matrix, hold NaN or Inf; else ok.
FactorReport find_not_finite(const BlockMatrix& matrix, const std::vector<double>& values);

}  // namespace catena::detail
