#include <catena/assembly/detail/force_derivatives.hpp>
#include <catena/assembly/parts/body_system.hpp>
#include <catena/measure/detail/forces_on.hpp>
#include <catena/measure/detail/wrong_derivatives.hpp>

#include <string>
#include <vector>

namespace catena::detail {
namespace {

// The one force on the body that can be the cause, else the body and the number of those that can.
std::string suspects_on(const Model& model, const std::string& block) {
  const std::vector<ForceId> all = forces_on(model, block).forces;
  std::vector<ForceId> wrong;
  for (const ForceId f : all)
    if (!gives_right_derivatives(model, f)) wrong.push_back(f);
  const std::vector<ForceId>& suspects = wrong.empty() ? all : wrong;
  if (suspects.size() == 1) return model.force_label(suspects.front()) + " on " + block;
  return suspects.empty() ? block : std::to_string(suspects.size()) + " forces on " + block;
}

}  // namespace

DerivativeCheck find_wrong_derivatives(const System& system, const State& state) {
  DerivativeCheck check = check_derivatives(system, state);
  if (const BodySystem* const bodies = bodies_of(system))
    for (DerivativeFault& fault : check.faults)
      if (!fault.of_constraint) fault.owner = suspects_on(bodies->model(), fault.owner);
  return check;
}

}  // namespace catena::detail
