#include <catena/solvers/catalog.hpp>
#include <catena/solvers/discrete_action.hpp>
#include <catena/solvers/generalized_alpha.hpp>

namespace catena {

std::vector<StepperEntry> builtin_steppers() {
  return {
      stepper_entry<GeneralizedAlpha, GeneralizedAlphaOptions>("generalized_alpha"),
      stepper_entry<DiscreteAction, DiscreteActionOptions>("discrete_action"),
  };
}

}  // namespace catena
