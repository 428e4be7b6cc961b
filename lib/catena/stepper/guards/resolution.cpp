#include <catena/stepper/guards/detail/resolution.hpp>

namespace catena::detail {

void ResolutionGuard::attach(const GuardSubject& subject, StepMemory& memory) {
  system_ = &subject.system;
  slot_ = memory.add("resolution", static_cast<int>(StepResolution::size));
}

void ResolutionGuard::start(State& state, const RowErrors& errors, GuardWorkspace& workspace) {
  workspace.matrix_used = true;
  measure_step_resolution(*system_, state, workspace.kkt, errors, workspace.sum).write(slot_.of(state));
}

Outcome ResolutionGuard::assess(Outcome outcome, const StepAttempt& attempt, GuardWorkspace& workspace) {
  now_ = StepResolution::from(slot_.of(attempt.state));
  now_.move_to(system_->layout(), attempt.end);
  if (outcome.status != Status::ok || attempt.first || !attempt.same_size || !now_.watches(attempt.h))
    return outcome;
  return now_.watch(attempt.h, attempt.lambda_before, attempt.state.lambda.data(), attempt.end.lambda,
                    workspace.statistics.multiplier_noise, *system_, attempt.end, workspace);
}

void ResolutionGuard::accept(State& state) { now_.write(slot_.of(state)); }

}  // namespace catena::detail
