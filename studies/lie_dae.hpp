// The study "A": Y. Li, B. Li, J. Ding, Z. Pan, "Constraints stabilization method for DAEs on Lie group of
// multibody system dynamics", Journal of Dynamics and Control 16 (2018).
#pragma once
#include <catena/output/study.hpp>

namespace catena {

void reproduce_lie_dae(StudyReport& report);

}  // namespace catena
