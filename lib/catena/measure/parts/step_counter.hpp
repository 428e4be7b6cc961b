// Counts the work of the step that led to the present state.
#pragma once
#include <catena/driver/sink.hpp>

namespace catena {

// An observer of the run, so that the work of one step is known where sinks see every K-th instant only.
class StepCounter : public Observer {
 public:
  explicit StepCounter(const Stepper& stepper) : stepper_(stepper) {}
  void begin(const System& system) override;
  bool observe(const State& state) override;
  // Since the state before the present one; also within a step, before observe() has seen its end.
  StepperStatistics last_step() const;
  // What was done before the first step: the set-up and the start.
  const StepperStatistics& before_steps() const { return before_steps_; }

 private:
  const Stepper& stepper_;
  StepperStatistics before_steps_;
  StepperStatistics seen_, step_;  // counters at the last observed state, and what the step to it added
};

}  // namespace catena
