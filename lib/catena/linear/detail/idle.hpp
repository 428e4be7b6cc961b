// Which of the coefficients of a linearized motion vanish.
#pragma once
#include <catena/linear/parts/linear_motion.hpp>

namespace catena::detail {

struct MatrixKinds {
  bool undamped = false;   // D = 0
  bool symmetric = false;  // K, to the part of its largest entry that an inexact equilibrium leaves
};
MatrixKinds look_at_matrices(const LinearMotion& motion);

// Fills LinearMotion::idle: turns of a body whose rows and columns of K, D and G are zero and that M does not couple.
void find_idle(LinearMotion& motion);

}  // namespace catena::detail
