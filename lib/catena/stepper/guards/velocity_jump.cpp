#include <catena/math/detail/index.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/stepper/guards/detail/velocity_jump.hpp>
#include <catena/system/detail/evaluations.hpp>
#include <catena/system/detail/scaled.hpp>

#include <algorithm>

namespace catena::detail {

Outcome VelocityJumpGuard::assess(Outcome outcome, const StepAttempt& attempt, GuardWorkspace& workspace) {
  // Another branch has another direction: as the guard over poles (multiplier_pole.cpp), which lets the cosine of the angle
  // between velocities fall to 0.9, 0.43 of their length. What h leaves is 0.4 of them where a step is a quarter of a period.
  constexpr double part = 0.4;
  constexpr double suspicious = 0.1;  // by the largest component, without an evaluation
  const SystemLayout& layout = system_->layout();
  if (outcome.status != Status::ok || layout.lambda_size() == 0) return outcome;
  const double* const before = attempt.state.v.data();
  const double* const after = attempt.end.v;
  double* const jump = workspace.way;
  for (int i = 0; i < layout.v_size(); ++i)
    jump[i] = after[i] - before[i] - 0.5 * attempt.h * (attempt.state.a[index(i)] + attempt.end.a[i]);
  const double speed = std::max(largest_scaled(layout, before), largest_scaled(layout, after));
  if (!(largest_scaled(layout, jump) > std::max(suspicious * speed, speed_at_rest))) return outcome;

  const auto norm = [&](const double* v) { return norm_by_mass(*system_, attempt.end, v, workspace.sum); };
  const double of_motion = norm(jump) / std::max(norm(before), norm(after));
  if (!(of_motion > part)) return outcome;
  return failure(Status::singular_kkt,
                 {workspace.kkt.owner(fastest_component(layout, jump)),
                  printed("velocities jump within a step from t = %.7g s, as where branches of the positions "
                          "cross, by a part of themselves",
                          attempt.state.t),
                  of_motion});
}

}  // namespace catena::detail
