// Componentwise backward error and iterative refinement of a solution of A x = b.
#pragma once
#include <catena/sparse/linear_solver.hpp>

#include <vector>

namespace catena::detail {

// Arioli, Demmel and Duff, SIAM J. Matrix Anal. Appl. 10 (1989), 165-190. With r = b - A x, row i belongs to
// the first class when (|A||x| + |b|)_i > 1000 n eps (sum_j |a_ij| max|x| + |b_i|), else to the second;
//     omega_1 = max |r_i| / (|A||x| + |b|)_i,    omega_2 = max |r_i| / ((|A||x|)_i + sum_j |a_ij| max|x|).
// x solves exactly a system whose entries differ from A's and b's by at most that relative amount.
struct BackwardError {
  double omega_1 = 0.0, omega_2 = 0.0;
  double total() const { return omega_1 + omega_2; }
};

struct RefinementOptions {
  int max_steps = 3;
  double target = 1e-14;  // of omega_1 + omega_2: 45 machine epsilons
  // Refinement stops when a step leaves more than this part of the error: the other steps cannot reach the target then
  // (three halvings are less than a digit).
  double stagnation = 0.5;
  // Above this error up to `patience` steps are made, as long as each removes a tenth of the error. In chains of ten
  // thousand hinges the softest directions yield less than the proximal term, so that a step removes little of its
  // effect: three steps left 4.5e-8 there (measured).
  double tolerable = 1e-12;
  int patience = 10;
};

struct RefinementReport {
  BackwardError before, after;
  int steps = 0;           // solves spent
  bool converged = false;  // target reached
};

// Arrays of refine(); size it once a pattern.
class RefinementWorkspace {
 public:
  RefinementWorkspace() = default;
  explicit RefinementWorkspace(const BlockPattern& pattern);

 private:
  friend BackwardError backward_error(const BlockMatrix&, const double*, const double*, RefinementWorkspace&);
  friend RefinementReport refine(const BlockMatrix&, LinearSolver&, const double*, double*,
                                 const RefinementOptions&, RefinementWorkspace&);
  std::vector<double> residual, absolute, row_sum, next;
};

// Of A = [H B; C -D], without the proximal term; leaves the residual in the workspace. NaN in x gives NaN.
BackwardError backward_error(const BlockMatrix& matrix, const double* rhs, const double* x,
                             RefinementWorkspace& work);

// Improves x, a first solution with the factors held by `solver`, and leaves the best iterate in it. Factors
// of A with a proximal term serve too: refinement removes its effect. Allocates nothing.
RefinementReport refine(const BlockMatrix& matrix, LinearSolver& solver, const double* rhs, double* x,
                        const RefinementOptions& options, RefinementWorkspace& work);

}  // namespace catena::detail
