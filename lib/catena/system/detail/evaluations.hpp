// Single terms of the equations, by System::evaluate().
#pragma once
#include <catena/system/system.hpp>

#include <cmath>

namespace catena::detail {

// out [v_size] = M(q) a; of the point t, q and the discrete values count.
inline void evaluate_inertia(const System& system, Point at, const double* a, double* out) {
  at.v = at.lambda = nullptr;
  at.a = a;
  at.forces = false;
  Evaluation wanted;
  wanted.balance = out;
  system.evaluate(at, wanted);
}

// v.M(q) w at a point. work: [v_size], overwritten.
inline double product_by_mass(const System& system, const Point& at, const double* v, const double* w,
                              double* work) {
  evaluate_inertia(system, at, w, work);
  double sum = 0.0;
  for (int i = 0; i < system.layout().v_size(); ++i) sum += v[i] * work[i];
  return sum;
}

inline double norm_by_mass(const System& system, const Point& at, const double* v, double* work) {
  return std::sqrt(product_by_mass(system, at, v, v, work));
}

// out [v_size] = G(q, t)^T lambda; of the point t, q and the discrete values count.
inline void evaluate_reaction(const System& system, Point at, const double* lambda, double* out) {
  at.v = at.a = nullptr;
  at.lambda = lambda;
  at.forces = false;
  Evaluation wanted;
  wanted.balance = out;
  system.evaluate(at, wanted);
}

// The matrix [M, G^T; G, 0] of accelerations at a point.
inline void evaluate_mass_and_rows(const System& system, const Point& at, BlockMatrix& matrix) {
  Linearization lin;
  lin.matrix = &matrix;
  lin.mass = 1.0;
  Evaluation wanted;
  wanted.linearization = &lin;
  system.evaluate(at, wanted);
}

}  // namespace catena::detail
