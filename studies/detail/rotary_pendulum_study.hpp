// Study E: "From the equations of rigid-body dynamics to simulations by several methods in MATLAB", a rotary inverted
// pendulum after I. Fantoni, R. Lozano, Non-linear Control for Underactuated Mechanical Systems, Springer 2002.
#pragma once
#include <catena/output/parts/study.hpp>

namespace catena::detail {

// The free motion, the comparison of methods, what the source misses, a controlled motion, and the errors.
void reproduce_rotary_pendulum(StudyReport& report);

}  // namespace catena::detail
