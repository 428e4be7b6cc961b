// States inside a step, as complete as those at its ends: for dense output and events.
#pragma once
#include <catena/kkt/kkt_solver.hpp>
#include <catena/stepper/detail/index_1.hpp>
#include <catena/stepper/stepper.hpp>

#include <optional>
#include <string>

namespace catena::detail {

class StateBetween {
 public:
  explicit StateBetween(const System& system) : system_(system) {}

  // The state at theta of the step of h that led to state: q and v from the stepper's interpolant, moved onto the
  // constraints; a and lambda from the index-1 system there. Its memory is empty. Valid until the next call. Where q or
  // v cannot be moved they are those of the interpolant, where the system cannot be solved a and lambda are those of
  // state: finished() is false then, and failures() has counted it.
  const State& at(double theta, const Stepper& stepper, const State& state, double h);
  bool finished() const { return finished_; }  // of the last call
  long failures() const { return failures_; }  // since the beginning
  const Culprit& remark() const {
    return remark_;
  }  // of the first of them: the constraint, what and how much
  // For others to write in.
  State& scratch(const State& sizes);

 private:
  const System& system_;
  KktSolver kkt_;
  // Where rows are redundant: their multipliers at roundoff of the positions are far from those at positions on the rows, on
  // which these equations end, as steps do.
  std::optional<Index1Equations> equations_;
  StepperStatistics statistics_;
  const State& unfinished(const KktReport& report, const char* what);

  bool attached_ = false, finished_ = true;
  std::string refusal_;  // of the linear solver: nothing can be finished
  long failures_ = 0;
  Culprit remark_;
  State state_;
};

}  // namespace catena::detail
