#include <catena/cli/detail/stepper_choices.hpp>

#include <algorithm>

namespace catena::detail {

std::span<const StepperChoice> stepper_choices() {
  static const std::vector<StepperChoice> choices{
      {"smooth, whatever the accuracy", false, {"dop853", "dormand_prince", "radau"}},
      {"stiff springs and dampers, 1e-3 to 1e-5", false, {"radau", "generalized_alpha", "hht", "lie_dae"}},
      {"stiff, and more accurate than that", false, {"radau", "ida"}},
      {"a long chain at moderate accuracy",
       false,
       {"radau", "dop853", "dormand_prince", "lie_dae", "generalized_alpha"}},
      {"a configuration that is singular for an instant",
       false,
       {"dormand_prince", "dop853", "generalized_alpha", "hht", "lie_dae", "rattle", "discrete_action"}},
      {"redundant rows", true, {"ida"}},
      {"velocity-level rows", true, {"discrete_action", "rattle", "runge_kutta_4"}},
      {"energy over a long chaotic motion",
       false,
       {"radau", "dop853", "dormand_prince", "alpha_rattle", "discrete_action", "rattle"}},
      {"gap and velocity both at roundoff",
       false,
       {"rattle", "alpha_rattle", "discrete_action", "dormand_prince", "dop853", "radau", "lie_bdf"}},
      {"a system of its own coordinates without rows", false, {"dormand_prince", "dop853", "runge_kutta_4"}}};
  return choices;
}

std::string text_of(const StepperChoice& choice, const std::vector<std::string>& there) {
  std::string text;
  for (const char* const stepper : choice.steppers)
    if (std::find(there.begin(), there.end(), stepper) != there.end())
      text += (!text.empty() ? ", " : choice.all_but ? "any but " : "") + std::string(stepper);
  return text;
}

}  // namespace catena::detail
