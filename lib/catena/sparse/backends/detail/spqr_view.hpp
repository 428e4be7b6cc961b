// A matrix as SuiteSparseQR reads it. Private to the back ends.
#pragma once
#include <SuiteSparseQR.hpp>

#include <vector>

namespace catena::detail {

// View of compressed columns with ascending rows, which it does not own.
inline cholmod_sparse spqr_view(std::size_t rows, std::vector<SuiteSparse_long>& start,
                                std::vector<SuiteSparse_long>& row, std::vector<double>& values) {
  cholmod_sparse a{};
  a.nrow = rows;
  a.ncol = start.size() - 1;
  a.nzmax = row.size();
  a.p = start.data();
  a.i = row.data();
  a.x = values.data();
  a.itype = CHOLMOD_LONG;
  a.xtype = CHOLMOD_REAL;
  a.dtype = CHOLMOD_DOUBLE;
  a.sorted = a.packed = 1;
  return a;
}

}  // namespace catena::detail
