// Study D: X. Huang, Z. Huang, K. Huang 2000, Euler angles at a ball joint: the breakdown, both remedies, the
// misprints of the source, and its five-body space manipulator. docs/theory/euler_angles.md
#pragma once
#include <catena/output/parts/study.hpp>

namespace catena::detail {

void reproduce_euler_angles(StudyReport& report);

}  // namespace catena::detail
