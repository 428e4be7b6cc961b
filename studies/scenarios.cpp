#include <catena/measure/parts/builtin_quantities.hpp>
#include <catena/problems/problems.hpp>
#include <catena/solvers/steppers.hpp>
#include <catena/studies/detail/scenarios.hpp>

#include <utility>

namespace catena::detail {

const Catalog& study_catalog() {
  static const Catalog catalog = [] {
    Catalog c;
    for (ProblemEntry& problem : builtin_problems()) c.add(std::move(problem));
    for (StepperEntry& stepper : builtin_steppers()) c.add(std::move(stepper));
    for (LeftOutStepper& stepper : left_out_steppers()) c.leave_out(std::move(stepper));
    const QuantityCatalog quantities = builtin_quantities();
    for (const Quantity& quantity : quantities.all()) c.add(quantity);
    return c;
  }();
  return catalog;
}

}  // namespace catena::detail
