// Eigen's SparseLU: supernodal LU with partial pivoting on COLAMD's ordering.
#pragma once
#include <catena/sparse/linear_solver.hpp>

namespace catena::detail {

std::unique_ptr<LinearSolver> make_eigen_lu();

}  // namespace catena::detail
