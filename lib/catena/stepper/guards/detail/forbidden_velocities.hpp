// The guard over velocities that the rows forbid and that index 1 does not see.
//
// With r = G V + g_t the nearest velocity that the rows allow is V - w, w = M^-1 G^T (G M^-1 G^T)^-1 r, and w carries
// the part e = w.M w / V.M V of the kinetic energy. Beside dependent rows, at the distance s from them, e grows like
// (d/s)^2 with d from the drift: the multipliers, which should grow like 1/s, grow like 1/sqrt(s^2 + d^2), the
// motion is turned away, and nothing singular is met. They are wrong by e/2: 5 % at the bound, as in the guard over
// poles (docs/theory/newton.md). Elsewhere a motion may turn back, and come to rest for an instant: there w is
// compared with the fastest motion so far.
#pragma once
#include <catena/stepper/guards/parts/guard.hpp>

#include <vector>

namespace catena::detail {

// Where a step fails: w carries this part of the kinetic energy.
inline constexpr double forbidden_energy = 0.1;
// Rows count as close to dependence where what is left of the weakest one has fallen to this part of that at the start.
inline constexpr double near_dependence = 0.1;

class ForbiddenVelocityGuard : public StepGuard {
 public:
  void attach(const GuardSubject& subject, StepMemory& memory) override;
  void scale(KktSolver& kkt) override;
  Outcome assess(Outcome outcome, const StepAttempt& attempt, GuardWorkspace& workspace) override;
  void accept(State& state) override { slot_.value(state) = kinetic_; }

 private:
  double weakest_pivot(KktSolver& kkt);

  const System* system_ = nullptr;
  StepperStatistics* statistics_ = nullptr;
  MemorySlot slot_;                // twice the largest kinetic energy so far [J]
  double kinetic_ = 0.0;           // the same, with the attempt
  double weakest_at_start_ = 0.0;  // local Schur pivot of [M G^T; G 0] at the initial state
  std::vector<double> rows_;
};

inline constexpr GuardType forbidden_velocity_guard{
    "guard_forbidden_velocities",
    "index 1: a step fails where velocities that the rows forbid carry a part of the kinetic energy",
    &make_guard<ForbiddenVelocityGuard>};

}  // namespace catena::detail
