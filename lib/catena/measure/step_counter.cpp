#include <catena/measure/parts/step_counter.hpp>

namespace catena {
namespace {

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
  before_steps_ = seen_ = stepper_.statistics();
  step_ = {};
}

bool StepCounter::observe(const State&) {
  step_ = last_step();
  seen_ = stepper_.statistics();
  return true;
}

StepperStatistics StepCounter::last_step() const {
  const StepperStatistics& now = stepper_.statistics();
  return now.steps == seen_.steps ? step_ : work_between(now, seen_);
}

}  // namespace catena
