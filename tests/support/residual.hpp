// What is left of the equations of a system at a state, and the sizes of vectors.
#pragma once
#include <catena/math/detail/largest.hpp>
#include <catena/system/system.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace catena_test {

inline double largest(const std::vector<double>& x) { return catena::detail::largest_of(x); }

// Largest difference; a size smaller than the vectors compares their beginnings.
inline double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double m = 0.0;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) m = std::max(m, std::abs(a[k] - b[k]));
  return m;
}

// which: &Evaluation::position, velocity, acceleration or balance.
inline std::vector<double> residual_rows(const catena::System& system, const catena::State& state,
                                         double* catena::Evaluation::*which) {
  const bool force = which == &catena::Evaluation::balance;
  std::vector<double> out(force ? state.v.size() : state.lambda.size());
  catena::Point at;
  at.t = state.t;
  at.q = state.q.data();
  at.v = state.v.data();
  at.a = state.a.data();
  at.lambda = state.lambda.data();
  at.discrete = state.discrete.data();
  catena::Evaluation wanted;
  wanted.*which = out.data();
  system.evaluate(at, wanted);
  return out;
}

inline double residual(const catena::System& system, const catena::State& state,
                       double* catena::Evaluation::*which) {
  return largest(residual_rows(system, state, which));
}

}  // namespace catena_test
