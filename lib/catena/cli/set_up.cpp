#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/cli/set_up.hpp>

#include <utility>
#include <vector>

namespace catena {

std::unique_ptr<System> make_system(const Problem& problem, Coordinates coordinates) {
  if (std::unique_ptr<System> own = problem.own_system()) return own;
  Model model = problem.model();
  model.check_initial_positions();
  if (coordinates == Coordinates::lagrangian) return std::make_unique<QuaternionSystem>(std::move(model));
  return std::make_unique<MultibodySystem>(std::move(model));
}

std::string steppers_for(const Problem& problem, const Catalog& catalog) {
  std::unique_ptr<System> in[2];  // by Coordinates
  std::vector<std::string> fit;
  for (const StepperEntry& entry : catalog.steppers()) {
    const std::unique_ptr<Stepper> stepper = entry.setup()->make({}, {});
    const Coordinates coordinates = stepper->traits().coordinates;
    std::unique_ptr<System>& system = in[coordinates == Coordinates::lagrangian ? 1 : 0];
    if (!system) system = make_system(problem, coordinates);
    if (stepper->refuses(*system).empty()) fit.push_back(entry.name);
  }
  std::string text = fit.empty() ? "none in the catalog takes it" : fit[0];
  for (std::size_t k = 1; k < fit.size(); ++k) text += (k + 1 == fit.size() ? " and " : ", ") + fit[k];
  return text;
}

}  // namespace catena
