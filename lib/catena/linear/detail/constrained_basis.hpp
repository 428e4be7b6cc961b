// Perturbations that the rows of a linearized motion allow, as columns of dense matrices. Lengths and angles are divided by
// move_lengths() (system/detail/move_lengths.hpp).
#pragma once
#include <catena/linear/parts/linear_motion.hpp>

#include <Eigen/Core>

namespace catena::detail {

// Orthonormal columns x with G x = 0; idle components are 0.
Eigen::MatrixXd basis_of_positions(const LinearMotion& motion);
// Orthonormal columns (x, y) with G x = 0, G y + N x = 0, A y + N x = 0; idle components are 0. Those with x = 0 are last.
Eigen::MatrixXd basis_of_states(const LinearMotion& motion);

}  // namespace catena::detail
