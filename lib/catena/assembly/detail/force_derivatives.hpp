// The derivatives of forces, one force at a time: a system has only their sum.
#pragma once
#include <catena/model/model.hpp>

namespace catena::detail {

// Whether the derivatives that it gives are those of its wrench, at the initial poses and at two near them, by central differences. True as well where there is nothing to compare: the
// force has no value there, or throws.
bool gives_right_derivatives(const Model& model, ForceId id);

// Its largest stiffness against a displacement or turn of the body at the initial poses, of either sign [N/m, N m].
// 0 where it does not act on the body, has no value or throws.
double stiffness_on(const Model& model, ForceId id, BodyId body);

}  // namespace catena::detail
