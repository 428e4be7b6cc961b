#include <catena/math/detail/printed.hpp>
#include <catena/stepper/guards/detail/forbidden_velocities.hpp>
#include <catena/stepper/guards/detail/strongest_constraints.hpp>
#include <catena/system/detail/evaluations.hpp>
#include <catena/system/detail/scaled.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace catena::detail {

void ForbiddenVelocityGuard::attach(const GuardSubject& subject, StepMemory& memory) {
  system_ = &subject.system;
  statistics_ = &subject.statistics;
  slot_ = memory.add("kinetic energy", 1);
  rows_.assign(static_cast<std::size_t>(system_->layout().lambda_size()), 0.0);
}

void ForbiddenVelocityGuard::scale(KktSolver& kkt) {
  if (!rows_.empty()) weakest_at_start_ = weakest_pivot(kkt);
}

// The weakest local Schur pivot of the numbers now in the matrix; leaves their factor behind.
double ForbiddenVelocityGuard::weakest_pivot(KktSolver& kkt) {
  KktReport report = kkt.factorize();
  kkt.find_weakest_row(report);
  return report.weakest_dual_ratio;
}

Outcome ForbiddenVelocityGuard::assess(Outcome outcome, const StepAttempt& attempt,
                                       GuardWorkspace& workspace) {
  kinetic_ = slot_.value(attempt.state);
  if (outcome.status != Status::ok || rows_.empty()) return outcome;
  constexpr double suspicious = 0.1 * forbidden_energy;
  const auto n = static_cast<std::size_t>(system_->layout().v_size()), m = rows_.size();
  double* x = workspace.sum;
  Point at = attempt.end;
  Evaluation wanted;
  wanted.velocity = rows_.data();
  system_->evaluate(at, wanted);
  evaluate_inertia(*system_, at, at.v, x);
  double kinetic = 0.0;
  for (std::size_t k = 0; k < n; ++k) kinetic += x[k] * attempt.end.v[k];
  kinetic_ = std::max(kinetic_, kinetic);
  // The energy of w by the matrix in hand; 0 where nothing moves.
  const auto forbidden = [&] {
    std::fill(x, x + n, 0.0);
    std::copy(rows_.begin(), rows_.end(), x + n);
    workspace.kkt.solve(x);
    double energy = 0.0;
    for (std::size_t k = 0; k < m; ++k) energy += rows_[k] * x[n + k];
    return largest_scaled(system_->layout(), x) > speed_at_rest ? std::abs(energy) : 0.0;
  };
  if (!(forbidden() > suspicious * kinetic)) return outcome;

  // Newton's matrix is one of an earlier iterate. It is made anew here with its own proximal term, and is lost to the
  // next step.
  workspace.matrix_used = true;
  at.v = at.a = at.lambda = nullptr;
  at.forces = false;
  evaluate_mass_and_rows(*system_, at, workspace.kkt.matrix());
  ++statistics_->evaluations;
  ++statistics_->factorizations;
  const bool dependent = weakest_pivot(workspace.kkt) <= near_dependence * weakest_at_start_;
  const double energy = forbidden(), whole = dependent ? kinetic : kinetic_;
  if (!(energy > forbidden_energy * whole)) return outcome;
  at.lambda = x + n;  // these name the constraints
  std::string text = printed(
      "rows %s at t = %.7g s: take a smaller step, index = 2 or stabilized; the velocities that they "
      "forbid carry of the kinetic energy",
      dependent ? "become dependent and have drifted" : "have drifted", attempt.state.t);
  return failure(Status::unstable, {strongest_constraints(*system_, at), std::move(text), energy / whole});
}

}  // namespace catena::detail
