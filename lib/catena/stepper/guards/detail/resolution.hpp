// The guard over steps below what roundoff of positions allows: see step_resolution.hpp.
#pragma once
#include <catena/stepper/guards/detail/guard.hpp>
#include <catena/stepper/guards/detail/step_resolution.hpp>

namespace catena::detail {

class ResolutionGuard : public StepGuard {
 public:
  ResolutionGuard() : StepGuard(GuardKind::resolution) {}
  void attach(const GuardSubject& subject, StepMemory& memory) override;
  void start(State& state, const RowErrors& errors, GuardWorkspace& workspace) override;
  Outcome assess(Outcome outcome, const StepAttempt& attempt, GuardWorkspace& workspace) override;
  void accept(State& state) override;

 private:
  const System* system_ = nullptr;
  MemorySlot slot_;
  StepResolution now_;
};

}  // namespace catena::detail
