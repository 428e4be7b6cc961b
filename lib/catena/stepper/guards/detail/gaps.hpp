// The guard over joints that have come apart where the position rows are not enforced, index 1 and 2.
#pragma once
#include <catena/stepper/guards/parts/guard.hpp>

namespace catena::detail {

class GapGuard : public StepGuard {
 public:
  void attach(const GuardSubject& subject, StepMemory& memory) override;
  Outcome assess(Outcome outcome, const StepAttempt& attempt, GuardWorkspace& workspace) override;

 private:
  const System* system_ = nullptr;
};

inline constexpr GuardType gap_guard{"guard_gaps", "index 1 and 2: a step fails where joints have come apart",
                                     &make_guard<GapGuard>};

}  // namespace catena::detail
