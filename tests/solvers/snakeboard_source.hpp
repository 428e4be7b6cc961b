// The snakeboard as the source for nonholonomic systems runs it (methods.md): index 2, figures computed independently.
#pragma once
#include <catena/problems/snakeboard.hpp>

#include "support/residual.hpp"

#include <algorithm>
#include <vector>

namespace catena_test::snakeboard_source {

// At T = 0.5.
inline const std::vector<double> reference_q{0.343214655527, -0.132140013908, -0.629201731819,
                                             0.526817386540, 0.284972455976,  -0.0514890697469};
inline const std::vector<double> reference_v{1.35248022055,   -0.754884128135, -1.32429075988,
                                             -0.332901339656, -3.39220268523,  5.30534937065};

// Of q and v at T = 0.5 with h = 1e-2, and the largest velocity residual on the way.
struct Errors {
  double q, v, rows;
};
template <class Run, class Options>
Errors errors(const Options& options) {
  const auto system = catena::Snakeboard().own_system();
  Run run(*system, 1e-2, options);
  double rows = 0.0;
  for (int k = 0; k < 50; ++k) {
    run.step();
    rows = std::max(rows, run.residual(&catena::Evaluation::velocity));
  }
  return {distance(run.state.q, reference_q), distance(run.state.v, reference_v), rows};
}

// Of Newton's matrix of the first step.
template <class Run, class Options>
double condition(const Options& options, double h) {
  const auto system = catena::Snakeboard().own_system();
  Run run(*system, h, options);
  return run.stepper.condition_number(run.state, h);
}

}  // namespace catena_test::snakeboard_source
