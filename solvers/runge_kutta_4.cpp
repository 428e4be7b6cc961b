#include <catena/solvers/runge_kutta_4.hpp>

#include <utility>

namespace catena {

const ButcherTable& runge_kutta_4_table() {
  static const ButcherTable table = {
      .name = "runge_kutta_4",
      .summary = "classical Runge-Kutta of order 4, fixed step, systems without constraints",
      .order = 4,
      .embedded_order = 3,
      .c = {0.0, 0.5, 0.5, 1.0},
      .a = {{}, {0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}, {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0}},
      // The last weight goes to the rate at the end.
      .error = {0.0, 0.0, 0.0, 1.0 / 6.0, -1.0 / 6.0}};
  return table;
}

RungeKutta4::RungeKutta4(LinearSolverFactory backend)
    : ExplicitStepper(runge_kutta_4_table(), {.control = ExplicitOptions::Control::fixed},
                      std::move(backend)) {
  traits_.order_lambda = 0;
  traits_.position_residual = traits_.velocity_residual = traits_.acceleration_residual = false;
  traits_.velocity_constraints = traits_.reaction_forces = false;
}

std::string RungeKutta4::refuses(const System& system) const {
  if (system.layout().lambda_size() == 0) return ExplicitStepper::refuses(system);
  return "runge_kutta_4 solves no constraints, and this system has " +
         std::to_string(system.layout().lambda_size()) +
         " rows of them: take dormand_prince, which projects on them, or an implicit stepper";
}

}  // namespace catena
