// X. M. Xu, W. X. Zhong, "Symplectic integration for multibody dynamics based on quaternion parameters", Applied
// Mathematics and Mechanics 35 (2014) 1071-1080: the chain of four boxes on ball joints, its tables and figures, and
// what the source leaves open.
#pragma once
#include <catena/output/parts/study.hpp>

namespace catena::detail {

void reproduce_discrete_action(StudyReport& report);

}  // namespace catena::detail
