// The guard over poles of the multipliers: see multiplier_pole.hpp.
#pragma once
#include <catena/stepper/guards/detail/guard.hpp>
#include <catena/stepper/guards/detail/multiplier_pole.hpp>

namespace catena::detail {

class PoleGuard : public StepGuard {
 public:
  PoleGuard() : StepGuard(GuardKind::pole) {}
  void attach(const GuardSubject& subject, StepMemory& memory) override;
  // Not for rows that a compliance holds: their multipliers are open.
  Outcome assess(Outcome outcome, const StepAttempt& attempt, GuardWorkspace& workspace) override;

 private:
  MultiplierPole pole_;
};

}  // namespace catena::detail
