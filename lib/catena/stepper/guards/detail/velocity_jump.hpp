// The guard over steps that end on another branch of the positions.
//
// Where branches of the positions cross, as in a parallelogram that is flat, an iteration for the positions alone may end
// on the other one, with gaps of roundoff. Nothing is singular at the end, and with redundant rows the multipliers show
// nothing. The velocities do: they jump by a part of themselves that does not shrink with the step. Without rows
// v_{n+1} - v_n is (h/2) (a_n + a_{n+1}) exactly in RATTLE, with rows to the third order in h.
#pragma once
#include <catena/stepper/guards/parts/guard.hpp>

namespace catena::detail {

// For methods whose State::a is the acceleration at the end of a step.
class VelocityJumpGuard : public StepGuard {
 public:
  void attach(const GuardSubject& subject, StepMemory&) override { system_ = &subject.system; }
  Outcome assess(Outcome outcome, const StepAttempt& attempt, GuardWorkspace& workspace) override;

 private:
  const System* system_ = nullptr;
};

inline constexpr GuardType velocity_jump_guard{
    "guard_velocity_jump", "a step that ends on another branch of the positions fails, where velocities jump",
    &make_guard<VelocityJumpGuard>};

}  // namespace catena::detail
