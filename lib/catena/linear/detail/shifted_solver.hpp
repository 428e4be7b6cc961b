// Solutions with the matrix of the shifted equations, for iterations.
#pragma once
#include <catena/kkt/kkt_solver.hpp>
#include <catena/linear/parts/linear_motion.hpp>

#include <Eigen/Core>

#include <string>

namespace catena::detail {

// K_ii / M_ii, the largest in size: an upper bound of omega^2 but for a small factor.
double stiffest(const LinearMotion& motion);

class ShiftedSolver {
 public:
  // symmetric: for LinearMotion::symmetric.
  ShiftedSolver(const LinearMotion& motion, bool symmetric);
  // Why the system is not supported; empty: it is.
  const std::string& refusal() const { return refusal_; }

  KktReport factorize(double sigma);
  // Eigenvalues below the shift, symmetric: negative pivots beyond one a row; -1: not known. It factorises once more.
  int below() const;
  // b [v_size + lambda_size] in, solution out.
  void solve(double* b);
  // x [v_size] = the upper part of the solution with (b, 0)
  void solve_upper(const double* b, double* x);
  int solves = 0;

 private:
  // Of the balance, relative: eigenvalues are as exact as the operator, and a step of refinement costs as much as two solves.
  static constexpr double sufficient = 1e-12;
  double residual();

  const LinearMotion& motion_;
  Eigen::Index n_;
  KktSolver kkt_;
  std::string refusal_;
  bool refines_ = true;
  Eigen::VectorXd work_, rhs_, residual_;
};

}  // namespace catena::detail
