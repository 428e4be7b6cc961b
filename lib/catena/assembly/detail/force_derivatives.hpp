// The derivatives of forces, one force at a time: a system has only their sum.
#pragma once
#include <catena/model/model.hpp>

namespace catena::detail {

// Whether the derivatives that it gives are those of its wrench, at the initial poses and at two near them, by central
// differences. True as well where there is nothing to compare: the force has no value there, or throws.
bool gives_right_derivatives(const Model& model, ForceId id);

// How fast it alone would make the body oscillate at the initial poses: sqrt(|k| / m), the largest of the six velocities, with
// the stiffness k of the force against a displacement or turn of the body, of either sign, and the inertia m [rad/s]. 0
// where it does not act on the body, has no value or throws.
double oscillation_by(const Model& model, ForceId id, BodyId body);

}  // namespace catena::detail
