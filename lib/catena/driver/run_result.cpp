#include <catena/driver/parts/run_result.hpp>

#include <algorithm>

namespace catena {

void add(StepperStatistics& sum, const StepperStatistics& more) {
  for (long StepperStatistics::*const count :
       {&StepperStatistics::steps, &StepperStatistics::rejected_steps, &StepperStatistics::rejected_by_error,
        &StepperStatistics::rejected_by_newton, &StepperStatistics::newton_iterations,
        &StepperStatistics::evaluations, &StepperStatistics::factorizations, &StepperStatistics::solves,
        &StepperStatistics::refinements, &StepperStatistics::indefinite_factorizations,
        &StepperStatistics::growing_factorizations, &StepperStatistics::stagnations,
        &StepperStatistics::dropped_geometric_stiffness, &StepperStatistics::fallback_factorizations,
        &StepperStatistics::restarts})
    sum.*count += more.*count;
  for (double StepperStatistics::*const time :
       {&StepperStatistics::seconds_evaluate, &StepperStatistics::seconds_factorize,
        &StepperStatistics::seconds_solve, &StepperStatistics::seconds_start})
    sum.*time += more.*time;
  for (const GuardCount& guard : more.guards) {
    const auto same = [&](const GuardCount& g) { return g.name == guard.name && g.reports == guard.reports; };
    const auto known = std::find_if(sum.guards.begin(), sum.guards.end(), same);
    if (known == sum.guards.end()) {
      sum.guards.push_back(guard);
      continue;
    }
    if (known->count == 0)
      *known = guard;
    else
      known->count += guard.count;
  }
  sum.multiplier_noise = std::max(sum.multiplier_noise, more.multiplier_noise);
}

}  // namespace catena
