// The guard over poles of the multipliers: see multiplier_pole.hpp.
#pragma once
#include <catena/stepper/guards/detail/multiplier_pole.hpp>
#include <catena/stepper/guards/parts/guard.hpp>

namespace catena::detail {

class PoleGuard : public StepGuard {
 public:
  void attach(const GuardSubject& subject, StepMemory& memory) override;
  // Not for rows that a compliance holds: their multipliers are open.
  Outcome assess(Outcome outcome, const StepAttempt& attempt, GuardWorkspace& workspace) override;

 private:
  MultiplierPole pole_;
};

inline constexpr GuardType pole_guard{
    "guard_pole", "a step that crosses a pole of the multipliers fails, and names the constraints",
    &make_guard<PoleGuard>};

}  // namespace catena::detail
