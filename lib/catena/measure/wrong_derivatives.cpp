#include <catena/assembly/detail/force_derivatives.hpp>
#include <catena/assembly/parts/body_system.hpp>
#include <catena/math/detail/printed.hpp>
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

// Of a velocity of a block.
std::string component(bool of_body, int k) {
  static const char* const six[] = {
      "x", "y", "z", "rotation about body x", "rotation about body y", "rotation about body z"};
  return of_body ? six[static_cast<std::size_t>(k)] : "component " + std::to_string(k + 1);
}

}  // namespace

DerivativeCheck find_wrong_derivatives(const System& system, const State& state) {
  DerivativeCheck check = check_derivatives(system, state);
  if (const BodySystem* const bodies = bodies_of(system))
    for (DerivativeFault& fault : check.faults)
      if (!fault.of_constraint) fault.owner = suspects_on(bodies->model(), fault.owner);
  return check;
}

std::string to_text(const System& system, const DerivativeFault& f) {
  std::string text = f.owner + ": " + f.quantity + " is wrong";
  const std::vector<int>& sizes = system.layout().pattern->primal_size;
  const bool bodies = bodies_of(system) != nullptr;
  if (f.row >= 0)
    text += f.of_constraint
                ? " in row " + std::to_string(f.row + 1)
                : " in " + component(bodies && sizes[static_cast<std::size_t>(f.block)] == 6, f.row);
  if (!f.by.empty() && f.component >= 0)
    text += " at " + f.by + ", " + component(bodies && sizes.front() == 6, f.component);
  return text + printed(": %.6g, differences give %.6g", f.given, f.expected);
}

}  // namespace catena::detail
