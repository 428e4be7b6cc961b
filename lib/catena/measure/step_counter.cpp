#include <catena/measure/parts/step_counter.hpp>

namespace catena {
namespace {

// What last_step() is made of. A copy of all would copy the names of the guards, at every step.
StepperStatistics work_of(const StepperStatistics& all) {
  StepperStatistics work;
  work.steps = all.steps;
  work.newton_iterations = all.newton_iterations;
  work.evaluations = all.evaluations;
  work.factorizations = all.factorizations;
  work.solves = all.solves;
  return work;
}

StepperStatistics work_between(const StepperStatistics& a, const StepperStatistics& b) {
  StepperStatistics d;
  d.newton_iterations = a.newton_iterations - b.newton_iterations;
  d.evaluations = a.evaluations - b.evaluations;
  d.factorizations = a.factorizations - b.factorizations;
  d.solves = a.solves - b.solves;
  return d;
}

}  // namespace

void StepCounter::begin(const System&) {
  before_steps_ = stepper_.statistics();
  seen_ = work_of(before_steps_);
  step_ = {};
}

bool StepCounter::observe(const State&) {
  step_ = last_step();
  seen_ = work_of(stepper_.statistics());
  return true;
}

StepperStatistics StepCounter::last_step() const {
  const StepperStatistics& now = stepper_.statistics();
  return now.steps == seen_.steps ? step_ : work_between(now, seen_);
}

}  // namespace catena
