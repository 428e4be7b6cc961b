// The figures of the study of lie_dae.
#pragma once
#include <catena/output/parts/study.hpp>
#include <catena/studies/detail/lie_dae_runs.hpp>

namespace catena::detail::lie_dae_study {

// results: DAE1, DAE2, DAE3, DAES.
void draw_lie_dae_figures(StudyReport& report, const std::vector<Result>& results);

}  // namespace catena::detail::lie_dae_study
