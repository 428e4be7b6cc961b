// The operators of a linearized motion, on vectors [v_size] and [v_size + lambda_size].
#pragma once
#include <catena/kkt/kkt_solver.hpp>
#include <catena/linear/parts/linear_motion.hpp>

#include <vector>

namespace catena::detail {

// out = E x, out = S y; out is not x.
void times_E(const LinearMotion& motion, const double* x, double* out);
void times_S(const LinearMotion& motion, const double* y, double* out);

// Products with the matrices of a motion. It allocates its workspace once.
class MotionProducts {
 public:
  explicit MotionProducts(const LinearMotion& motion);
  int n() const { return n_; }
  int m() const { return m_; }
  // out [n + m] = (M x, G x or A x)
  void mass(const double* x, double* out) { times(*motion_.mass, x, out); }
  // out [n + m] = ((D - M S) y, -): the damping that a frame adds to.
  void damping(const double* y, double* out);
  // out [n + m] = (K x, N x)
  void stiffness(const double* x, double* out) { times(*motion_.stiffness, x, out); }

 private:
  void times(const BlockMatrix& A, const double* x, double* out);
  const LinearMotion& motion_;
  int n_, m_;
  std::vector<double> in_, s_, ms_;
};

// The rates that the equations give: w of a pair (x, y), from
//     [ M G^T ] [ w       ]   [ -(D - M S) y - K x ]
//     [ C  0  ] [ dlambda ] = [ c                  ],   C = G, c = G E (y - E x);  C = A, c = -N (y - E x).
// w here is the rate of y in the frame, x' = y - E x that of x.
class MotionRates {
 public:
  explicit MotionRates(const LinearMotion& motion);
  KktReport factorize();
  void operator()(const double* x, const double* y, double* x_rate, double* y_rate);

 private:
  const LinearMotion& motion_;
  MotionProducts products_;
  KktSolver kkt_;
  std::vector<double> rhs_, work_, rate_;
};

// M (sigma - S) + D and the rest of the matrix of the shifted equations, by blocks:
//     [ K + (D - M S + sigma M)(sigma + E), G^T; C, 0 ],   C = G; velocity rows: C = A (sigma + E) + N.
void fill_shifted(const LinearMotion& motion, double sigma, BlockMatrix& matrix);

}  // namespace catena::detail
