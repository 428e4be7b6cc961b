// The guard over joints that have come apart where the position rows are not enforced, index 1 and 2.
#pragma once
#include <catena/stepper/guards/detail/guard.hpp>

namespace catena::detail {

class GapGuard : public StepGuard {
 public:
  GapGuard() : StepGuard(GuardKind::gaps) {}
  void attach(const GuardSubject& subject, StepMemory& memory) override;
  Outcome assess(Outcome outcome, const StepAttempt& attempt, GuardWorkspace& workspace) override;

 private:
  const System* system_ = nullptr;
};

}  // namespace catena::detail
