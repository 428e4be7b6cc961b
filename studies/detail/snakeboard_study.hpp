// Study B: X. Ma, L. Chen, Y. Zhang, generalized-alpha and alpha-RATTLE for nonholonomic systems.
#pragma once
#include <catena/output/parts/study.hpp>

namespace catena::detail {

// Tables, figures 2 to 7 and errors of the source, and what it names as its next step: the energy.
void reproduce_snakeboard(StudyReport& report);

}  // namespace catena::detail
