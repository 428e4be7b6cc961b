// What generalized-alpha carries from step to step in State::memory; shared by its two source files.
#pragma once
#include <catena/solvers/generalized_alpha.hpp>

namespace catena {

// [0] steps taken (0, 1: how much history there is), [1] size of the last step, [2] compliance, [3 ... 6] what
// roundoff makes of the multipliers at index 3 (StepResolution), then a_n [v_size], a_{n-1} (before the first step:
// the correction of v_0) [v_size], lambda_{n-1}; with jacobian =
// when_slow also where the matrix in use was made: its step size (0: none), t, q, v, v', lambda, xi, discrete.
struct GeneralizedAlpha::Memory {
  double* base;
  int n, m;
  double& steps() const { return base[0]; }
  double& h() const { return base[1]; }
  double& compliance() const { return base[2]; }
  double* resolution() const { return base + 3; }
  double* a() const { return resolution() + StepResolution::size; }
  double* a_before() const { return a() + n; }
  double* lambda_before() const { return a_before() + n; }
  double* matrix_point() const { return lambda_before() + m; }
  static std::size_t size(int n, int m) {
    return 3 + StepResolution::size + static_cast<std::size_t>(2 * n + m);
  }
  static std::size_t matrix_point_size(const State& s) {
    return 2 + s.q.size() + 3 * s.v.size() + s.lambda.size() + s.discrete.size();
  }
  static Memory of(const State& s) {
    return {const_cast<double*>(s.memory.data()), static_cast<int>(s.v.size()),
            static_cast<int>(s.lambda.size())};
  }
};

}  // namespace catena
