// The guard over methods of index 3 that have become unstable. Index 3 does not see the velocity rows: they stay of
// order h^2 while the method is stable, and grow without bound where it is not (rho_inf near one on stiff chains of
// hinges), although every step converges.
#pragma once
#include <catena/stepper/guards/parts/guard.hpp>

namespace catena::detail {

class VelocityLevelGuard : public StepGuard {
 public:
  void attach(const GuardSubject& subject, StepMemory& memory) override;
  // Looks at about every fourth step, by the instant: a resumed run looks at the same ones.
  Outcome assess(Outcome outcome, const StepAttempt& attempt, GuardWorkspace& workspace) override;
  void accept(State& state) override;

 private:
  const System* system_ = nullptr;
  MemorySlot slot_;
};

inline constexpr GuardType velocity_level_guard{
    "guard_velocity_level", "index 3: a step fails where the velocity residual shows an unstable method",
    &make_guard<VelocityLevelGuard>};

}  // namespace catena::detail
