// Wrong derivatives of a system's elements, with the names of the elements.
#pragma once
#include <catena/kkt/derivative_check.hpp>

namespace catena::detail {

// check_derivatives() at this state. A force is named as DerivativeFault::owner, 'force "strut" (spring_damper) on body
// "hip"', where the system has a model and its force can be distinguished from others on the body.
DerivativeCheck find_wrong_derivatives(const System& system, const State& state);

}  // namespace catena::detail
