// The guard over steps below what roundoff of positions allows: see step_resolution.hpp.
#pragma once
#include <catena/stepper/guards/detail/step_resolution.hpp>
#include <catena/stepper/guards/parts/guard.hpp>

namespace catena::detail {

class ResolutionGuard : public StepGuard {
 public:
  void attach(const GuardSubject& subject, StepMemory& memory) override;
  void start(State& state, const RowErrors& errors, GuardWorkspace& workspace) override;
  Outcome assess(Outcome outcome, const StepAttempt& attempt, GuardWorkspace& workspace) override;
  void accept(State& state) override;

 private:
  const System* system_ = nullptr;
  MemorySlot slot_;
  StepResolution now_;
};

inline constexpr GuardType resolution_guard{
    "guard_resolution", "steps end where roundoff of positions over h^2 makes the multipliers noise",
    &make_guard<ResolutionGuard>};

}  // namespace catena::detail
