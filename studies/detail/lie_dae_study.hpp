// The study "A": Y. Li, B. Li, J. Ding, Z. Pan, "Constraints stabilization method for DAEs on Lie group of
// multibody system dynamics", Journal of Dynamics and Control 16 (2018).
#pragma once
#include <catena/output/parts/study.hpp>

namespace catena::detail {

void reproduce_lie_dae(StudyReport& report);

}  // namespace catena::detail
