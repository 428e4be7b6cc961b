// What lie_dae carries from step to step in State::memory; shared by its source files.
#pragma once
#include <catena/solvers/lie_dae.hpp>

namespace catena {

// [0] steps taken, [1] size of the last step, [2] compliance, [3 ... 5] offset of the velocities at index 3
// (rate, jerk, bracket), [6] twice the largest kinetic energy so far (index 1), [7 ... 10] what roundoff makes of the
// multipliers (StepResolution), then eta_n, alpha_n and a_{n-1} [v_size each], lambda_{n-1}; stabilized: mu_n and V'_n.
struct LieDae::Memory {
  double* base;
  int n, m;
  double& steps() const { return base[0]; }
  double& h() const { return base[1]; }
  double& compliance() const { return base[2]; }
  Offset offset() const { return {base[3], base[4], base[5]}; }
  void set_offset(const Offset& o) const {
    base[3] = o.rate;
    base[4] = o.jerk;
    base[5] = o.bracket;
  }
  double& kinetic() const { return base[6]; }
  double* resolution() const { return base + 7; }
  double* eta() const { return resolution() + StepResolution::size; }
  double* alpha() const { return eta() + n; }
  double* a_before() const { return alpha() + n; }
  double* lambda_before() const { return a_before() + n; }
  double* mu() const { return lambda_before() + m; }
  double* v_prime() const { return mu() + m; }
  static std::size_t size(int n, int m, bool stabilized) {
    return 7 + StepResolution::size + static_cast<std::size_t>(3 * n + m + (stabilized ? m + n : 0));
  }
  // Behind these with jacobian = when_slow: where the matrix in use was made, its h~ (0: none), t, q, v, a, xi,
  // lambda, mu (stabilized), discrete.
  double* matrix_point(bool stabilized) const { return base + size(n, m, stabilized); }
  static std::size_t matrix_point_size(const State& s, bool stabilized) {
    return 2 + s.q.size() + 3 * s.v.size() + s.lambda.size() * (stabilized ? 2 : 1) + s.discrete.size();
  }
  static Memory of(const State& s) {
    return {const_cast<double*>(s.memory.data()), static_cast<int>(s.v.size()),
            static_cast<int>(s.lambda.size())};
  }
};

}  // namespace catena
