// Newton's method on the position rows: q <- q exp(delta) with the smallest delta, in the norm of the mass matrix, that
// closes their linearisation,
//     [ W  G^T ] [ delta  ]   [  0 ]
//     [ G  -D  ] [ lambda ] = [ -g ]       D = 0, W = M or M with weights.
// A step that does not reduce phi = 1/2 sum g_r^2 / b_r, or whose rows depend on one another, is taken again with Levenberg's
// term D = mu b: the delta that makes 1/2 |g + G delta|^2_b + 1/2 mu |delta|^2_W least, along which phi falls for any rank of G.
// b_r is the compliance of row r, the sum over its bodies of 1/(m L^2), times L^2 where the row is a length: phi does not
// depend on units or on the masses of other bodies.
#pragma once
#include <catena/kkt/kkt_solver.hpp>

#include <vector>

namespace catena::detail {

// A row is closed where |g| <= absolute + relative times the numbers whose roundoff it sees (row_length.hpp).
struct GapLimit {
  double absolute = 0.0, relative = 0.0;
};

// Rows at q, and the worst of those that the limit leaves open: status inconsistent_start with its name. gap: [lambda_size]
KktReport look_at_gaps(const System& system, const KktSolver& kkt, const Point& at, const GapLimit& limit,
                       double* gap);

class PositionNewton {
 public:
  // Uses the matrix of kkt, which must be attached to system with Border::transposed.
  PositionNewton(const System& system, KktSolver& kkt) : system_(system), kkt_(kkt) {}

  int max_iterations = 30;
  // How many times its mass each velocity block counts, 0: it does not move; null: once. [primal blocks]
  const std::vector<double>* weights = nullptr;
  bool velocity_rows = true;  // false: they do not hold delta

  // Closes the rows at at.t and at.discrete. largest_change: max |delta_i| / s_i over all corrections. Status
  // newton_not_converged names the worst row at the last q, where phi does not become smaller or the iterations are used up.
  KktReport close(Point at, double* q, const GapLimit& limit, double& largest_change);

  int iterations() const { return iterations_; }  // of the last call
  // Of the last call, one a constraint: its part of 2 phi at the end. Where phi is stationary, g_r / b_r is a null vector
  // of G^T, so these are the constraints that contradict one another.
  std::vector<double> shares() const;

 private:
  void fill(const Point& at);
  void measure_compliances();
  double merit(const std::vector<double>& gap) const;
  // Into delta_, lambda_; not ok: no such step. predicted: phi after it, as far as the linearisation goes.
  KktReport solve(double damping, double& predicted);

  const System& system_;
  KktSolver& kkt_;
  int iterations_ = 0;
  std::vector<double> gap_, next_gap_, next_q_, compliance_, x_;
};

}  // namespace catena::detail
