// Elements with a past, which no equilibrium and no equation with constant coefficients of the bodies describes.
#pragma once
#include <catena/system/status.hpp>
#include <catena/system/system.hpp>

namespace catena::detail {

// The first joint or force that samples the motion at instants or has an integral over the time, and why no equations with
// constant coefficients describe it; without a name: there is none.
Culprit element_with_past(const System& system);

}  // namespace catena::detail
