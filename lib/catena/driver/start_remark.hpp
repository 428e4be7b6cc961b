// What every start takes away from the initial velocities without asking.
#pragma once
#include <catena/system/system.hpp>

namespace catena {

// The row whose velocity residual is the largest in `state`, and that residual, where it is beyond roundoff: steppers
// start from consistent velocities, so it will be gone. Without a quantity where there is none.
Culprit inconsistent_velocity(const System& system, const State& state);

}  // namespace catena
