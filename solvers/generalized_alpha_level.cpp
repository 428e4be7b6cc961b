// The velocities of generalized-alpha at index 3, which sees the velocity rows nowhere: their offset when the
// step changes, and the watch over methods that have become unstable.
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/solvers/generalized_alpha_memory.hpp>

#include <algorithm>
#include <cmath>

namespace catena {

// The velocities of a perturbed start are v + h^2 w, w normal to the constraints (see make_consistent()):
// another h, another offset. What a projection onto the constraints takes away is the one of the last step.
// The matrix of the projection may have any mass, so that its proximal term and compliance stay.
KktReport GeneralizedAlpha::change_velocity_level(const State& state, double ratio) {
  have_matrix_ = false;
  Linearization lin;
  lin.matrix = &newton_.kkt().matrix();
  lin.mass = AlphaWeights(c_, 0.0).mass;
  const Point at = point_of(state);
  double* x = newton_.rhs();
  Evaluation wanted;
  wanted.velocity = x + v_.size();
  wanted.linearization = &lin;
  system_->evaluate(at, wanted);
  std::fill(x, x + v_.size(), 0.0);
  for (std::size_t d = 0; d < system_->layout().level.size(); ++d) {  // rows that are enforced have no offset
    const BlockPattern& p = *system_->layout().pattern;
    if (system_->layout().level[d] == Level::velocity) std::fill_n(x + p.dual_offset[d], p.dual_size[d], 0.0);
  }
  const KktReport report = newton_.kkt().factorize_and_solve(x);  // h^2 w
  ++statistics_.factorizations;
  for (std::size_t k = 0; k < v_n_.size(); ++k) v_n_[k] += (ratio * ratio - 1.0) * x[k];
  return report;
}

// Index 3 does not see the velocity rows: they stay of order h^2 while the method is stable, and grow without
// bound where it is not (rho_inf near one on stiff chains of hinges), although every step converges. Looked at
// in about every fourth step, by the instant: a resumed run looks at the same ones.
Outcome GeneralizedAlpha::check_velocity_level(Point at, double h) {
  constexpr int interval = 4;
  // Of the largest velocity, and of what a step makes of it at a turning point. An instability that changes its sign
  // in every step has h |v'| of twice its size, far below the second.
  constexpr double lost = 0.02, turning = 0.005;
  if (!index_three() || lambda_.empty() || std::llround(at.t / h) % interval != 0) return {};
  Evaluation wanted;
  double* rows = newton_.rhs() + v_.size();
  wanted.velocity = rows;
  system_->evaluate(at, wanted);
  int worst = 0;
  for (int k = 1; k < static_cast<int>(lambda_.size()); ++k)
    if (std::abs(rows[k]) > std::abs(rows[worst])) worst = k;
  double speed = 0.0, change = 0.0;
  for (const double v : v_) speed = std::max(speed, std::abs(v));
  for (const double a : vdot_) change = std::max(change, h * std::abs(a));
  // What Newton's tolerance lets a velocity differ by, a hundredfold: systems at rest are not unstable.
  const std::vector<double>& scale = system_->layout().scale;
  const double noise = 100.0 * options_.newton_tolerance * *std::max_element(scale.begin(), scale.end()) / h;
  if (std::abs(rows[worst]) <= lost * speed + turning * change + noise) return {};
  return failure(Status::unstable,
                 {newton_.kkt().owner(static_cast<int>(v_.size()) + worst),
                  "velocity residual; take a smaller rho_inf, a smaller step or index = 2", rows[worst]});
}

}  // namespace catena
