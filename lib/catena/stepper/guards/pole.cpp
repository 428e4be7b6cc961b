#include <catena/stepper/guards/detail/pole.hpp>

#include <utility>

namespace catena::detail {

void PoleGuard::attach(const GuardSubject& subject, StepMemory&) {
  pole_.attach(subject.system, subject.order_lambda, subject.statistics);
}

Outcome PoleGuard::assess(Outcome outcome, const StepAttempt& attempt, GuardWorkspace& workspace) {
  if (attempt.held) return outcome;
  pole_.multipliers_behind(attempt.multipliers_behind_state, attempt.multipliers_behind_end);
  return pole_.assess(std::move(outcome), attempt.state, attempt.end,
                      attempt.first ? nullptr : attempt.lambda_before, workspace);
}

}  // namespace catena::detail
