#include <catena/stepper/guards/detail/velocity_level.hpp>

#include <algorithm>
#include <cmath>

namespace catena::detail {

void VelocityLevelGuard::attach(const GuardSubject& subject, StepMemory&) { system_ = &subject.system; }

Outcome VelocityLevelGuard::assess(Outcome outcome, const StepAttempt& attempt, GuardWorkspace& workspace) {
  constexpr int interval = 4;
  // Of the largest velocity, and of what a step makes of it at a turning point. An instability that changes its sign
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
  int worst = 0;
  for (int k = 1; k < m; ++k)
    if (std::abs(rows[k]) > std::abs(rows[worst])) worst = k;
  double speed = 0.0, change = 0.0;
  for (int k = 0; k < n; ++k) {
    speed = std::max(speed, std::abs(attempt.end.v[k]));
    change = std::max(change, h * std::abs(attempt.end.a[k]));
  }
  // What Newton's tolerance lets a velocity differ by, a hundredfold: systems at rest are not unstable.
  const std::vector<double>& scale = system_->layout().scale;
  const double noise = 100.0 * attempt.newton_tolerance * *std::max_element(scale.begin(), scale.end()) / h;
  if (std::abs(rows[worst]) <= lost * speed + turning * change + noise) return outcome;
  return failure(Status::unstable,
                 {workspace.kkt.owner(n + worst),
                  "velocity residual; take a smaller rho_inf, a smaller step or index = 2", rows[worst]});
}

}  // namespace catena::detail
