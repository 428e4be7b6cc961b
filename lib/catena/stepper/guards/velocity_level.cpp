#include <catena/math/detail/largest.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/stepper/guards/detail/velocity_level.hpp>

#include <algorithm>
#include <cmath>

namespace catena::detail {

namespace {

// What is left of an earlier speed after each step: a drive that brings a mechanism to rest leaves velocity residuals of
// the order h^2 of its motion, which the method then damps in tens of steps.
constexpr double left_of_speed = 0.99;

}  // namespace

void VelocityLevelGuard::attach(const GuardSubject& subject, StepMemory& memory) {
  system_ = &subject.system;
  slot_ = memory.add("fastest velocity", 1);
}

void VelocityLevelGuard::accept(State& state) {
  double& speed = slot_.value(state);
  speed = std::max(left_of_speed * speed, largest_of(state.v));
}

Outcome VelocityLevelGuard::assess(Outcome outcome, const StepAttempt& attempt, GuardWorkspace& workspace) {
  constexpr int interval = 4;
  // Of the largest velocity of late, and of what a step makes of it at a turning point. An instability that changes its sign
  // in every step has h |v'| of twice its size, far below the second.
  constexpr double lost = 0.02, turning = 0.005;
  const int n = system_->layout().v_size(), m = system_->layout().lambda_size();
  const double h = attempt.h;
  if (outcome.status != Status::ok || m == 0 || std::llround(attempt.end.t / h) % interval != 0)
    return outcome;
  Evaluation wanted;
  double* rows = workspace.sum + n;
  wanted.velocity = rows;
  system_->evaluate(attempt.end, wanted);
  const int worst = number_of_largest(rows, m);
  const double speed = std::max(slot_.value(attempt.state), largest_of(attempt.end.v, n));
  const double change = h * largest_of(attempt.end.a, n);
  // What Newton's tolerance lets a velocity differ by, a hundredfold: systems at rest are not unstable.
  const std::vector<double>& scale = system_->layout().scale;
  const double noise = 100.0 * attempt.newton_tolerance * *std::max_element(scale.begin(), scale.end()) / h;
  if (std::abs(rows[worst]) <= lost * speed + turning * change + noise) return outcome;
  return failure(
      Status::unstable,
      {workspace.kkt.owner(n + worst), "velocity residual", rows[worst],
       printed("its velocities miss it by %.3g: its rows jump, or contradict others, or the steps "
               "are too large for this method; take a smaller step, a smaller rho_inf or index = 2",
               std::abs(rows[worst]))});
}

}  // namespace catena::detail
