// What explicit steppers show their guards, and when they ask which of them.
#include <catena/stepper/explicit/explicit_stepper.hpp>

#include <utility>

namespace catena {
using namespace detail;

ExplicitStages ExplicitStepper::stages() const {
  const std::size_t end = static_cast<std::size_t>(table_.stages());
  return {.system = *system_,
          .plain = plain_,
          .x = x_,
          .v = now_.v,
          .x_taken = x_taken_,
          .v_taken = v_taken_,
          .weakest_pivot = equations_.weakest_pivot(),
          .x_last = x_last_,
          .v_last = v_last_,
          .x_rate_last = kx_[end - 1],
          .v_rate_last = kv_[end - 1],
          .x_rate = kx_[end],
          .v_rate = kv_[end],
          .stability_boundary = adaptive() ? table_.stability_boundary : 0.0};
}

// All of it is written anew before it is used.
GuardWorkspace ExplicitStepper::guard_workspace() {
  GuardWorkspace workspace{equations_.work(), dense_v_[0].data(), dense_v_[1].data(),
                           before_.q.data(),  equations_.kkt(),   {},
                           statistics_};
  workspace.weights.mass = 1.0;
  return workspace;
}

// The attempt at a step of size h whose end is in now_.
Outcome ExplicitStepper::assess(GuardList& guards, Outcome outcome, const State& state, double h) {
  Point end = point_of(now_);
  end.t = state.t + h;
  end.a = now_.a.data();
  end.lambda = now_.lambda.data();
  const ExplicitStages seen = stages();
  const StepAttempt attempted{.system = *system_,
                              .state = state,
                              .end = end,
                              .h = h,
                              .same_size = h == h_before_.value(state),
                              .first = !(h_before_.value(state) > 0.0),
                              .lambda_before = lambda_before_.of(state),
                              .held = equations_.redundant(),
                              .newton_tolerance = 0.0,
                              .stages = &seen};
  GuardWorkspace workspace = guard_workspace();
  outcome = guards.assess(std::move(outcome), attempted, workspace);
  if (outcome.status != Status::ok && workspace.hidden_below > 0.0) hidden_below_ = workspace.hidden_below;
  return outcome;
}

// What the watch over dependent rows makes of an attempt: steps cut to nothing are its business whatever they
// failed of.
Outcome ExplicitStepper::watch_poles(Outcome outcome, const State& state, double h) {
  if (now_.lambda.empty() || equations_.redundant()) return outcome;
  const Status status = outcome.status;
  if (status == Status::step_too_small || status == Status::not_finite)
    outcome.status = Status::newton_not_converged;
  outcome = assess(poles_, std::move(outcome), state, h);
  if (outcome.status == Status::newton_not_converged) outcome.status = status;
  return outcome;
}

}  // namespace catena
