// What alpha-RATTLE carries from step to step in State::memory.
#pragma once
#include <catena/solvers/alpha_rattle.hpp>

namespace catena {

// [0] steps taken (0, 1), [1] size of the last step, [2] compliance, then a_n, a_{n-1}, v'_n = M^-1 f [v_size each],
// and three multipliers a row: lambda_0 (or lambda_h) and lambda_1 of the last step, and that in the middle of the one
// before.
struct AlphaRattle::Memory {
  double* base;
  int n, m;
  double& steps() const { return base[0]; }
  double& h() const { return base[1]; }
  double& compliance() const { return base[2]; }
  double* a() const { return base + 3; }
  double* a_before() const { return base + 3 + n; }
  double* vdot() const { return base + 3 + 2 * n; }
  double* lambda(int which) const { return base + 3 + 3 * n + which * m; }
  static std::size_t size(int n, int m) { return static_cast<std::size_t>(3 + 3 * n + 3 * m); }
  static Memory of(const State& s) {
    return {const_cast<double*>(s.memory.data()), static_cast<int>(s.v.size()),
            static_cast<int>(s.lambda.size())};
  }
};

}  // namespace catena
