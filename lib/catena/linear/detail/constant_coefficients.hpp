// The coefficients of a linearized motion, and whether they are the same later on.
#pragma once
#include <catena/linear/parts/linear_motion.hpp>

namespace catena::detail {

// Fills mass, damping and stiffness at the state of a motion.
void differentiate(LinearMotion& motion);

struct Change {
  Status status = Status::ok;  // inconsistent_start: something changes; singular_kkt, not_finite
  Culprit culprit = {};
  double by = 0.0;  // relative to the largest
};
// With the time alone, and along the motion.
Change look_for_changes(const LinearMotion& motion, double tolerance);

}  // namespace catena::detail
