// The guards of one stepper, with what each of them is asked to do.
#pragma once
#include <catena/stepper/guards/detail/dependent_rows.hpp>
#include <catena/stepper/guards/parts/guard.hpp>

#include <memory>
#include <vector>

namespace catena::detail {

class GuardList {
 public:
  // Guards that are off are not made at all. Slots of the others go into memory.
  void attach(const GuardSubject& subject, const GuardSet& set, const GuardOptions& options,
              StepMemory& memory);
  void scale(KktSolver& kkt);
  void start(State& state, const RowErrors& errors, GuardWorkspace& workspace);
  // What the guards make of an attempt, one after the other; those that only report leave the outcome as it is.
  Outcome assess(Outcome outcome, const StepAttempt& attempt, GuardWorkspace& workspace);
  void accept(State& state);

  // For Newton's iteration of a step from t: null where rows are not watched.
  DependentRows* dependent_rows(double t);

 private:
  struct Entry {
    std::unique_ptr<StepGuard> guard;
    GuardMode mode;
    std::size_t count;  // its place in StepperStatistics::guards
  };
  std::size_t add_count(const GuardType& type, GuardMode mode);

  std::vector<Entry> entries_;
  std::unique_ptr<DependentRows> dependent_rows_;
  StepperStatistics* statistics_ = nullptr;
};

}  // namespace catena::detail
