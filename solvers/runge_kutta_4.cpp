#include <catena/math/detail/option_range.hpp>
#include <catena/solvers/runge_kutta_4.hpp>
#include <catena/stepper/detail/error_options.hpp>

#include <utility>

namespace catena {
namespace {

ExplicitOptions explicit_options(const RungeKutta4Options& o) {
  ExplicitOptions e;
  e.control = o.tolerance > 0.0 ? ExplicitOptions::Control::adaptive : ExplicitOptions::Control::fixed;
  e.rtol_position = e.atol_position = e.rtol_velocity = e.atol_velocity = o.tolerance;
  e.max_step = o.max_step;
  e.kinds = o.kinds;
  return e;
}

}  // namespace

const ButcherTable& runge_kutta_4_table() {
  static const ButcherTable table = {
      .name = "runge_kutta_4",
      .summary = "classical Runge-Kutta of order 4, systems without constraints",
      .order = 4,
      .embedded_order = 3,
      .c = {0.0, 0.5, 0.5, 1.0},
      .a = {{}, {0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}, {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0}},
      // b - b^ of the embedded solution with the rate at the end in place of the last stage: order 3.
      .error = {0.0, 0.0, 0.0, 1.0 / 6.0, -1.0 / 6.0}};
  return table;
}

void visit(OptionVisitor& visitor, RungeKutta4Options& o) {
  visitor.real(tolerance_option({"tolerance", "1",
                                 "error of a step in positions and velocities, relative to them plus in "
                                 "characteristic sizes, which chooses the steps; 0: the step of the run",
                                 0.0, 1.0}),
               o.tolerance);
  visitor.real({"max_step", "s", "with a tolerance no step is larger; 0: no limit", 0.0, 1e6}, o.max_step);
  detail::visit_kinds(visitor, o.kinds, {.velocities = true, .multipliers = false});
}

RungeKutta4::RungeKutta4(const RungeKutta4Options& options, LinearSolverFactory backend)
    : ExplicitStepper(runge_kutta_4_table(), explicit_options(options), std::move(backend)), given_(options) {
  traits_.order_lambda = 0;
  traits_.position_residual = traits_.velocity_residual = traits_.acceleration_residual = false;
  traits_.velocity_constraints = traits_.reaction_forces = false;
}

std::string RungeKutta4::refuses(const System& system) const {
  if (std::string wrong = detail::out_of_range(given_); !wrong.empty()) return wrong;
  if (system.layout().lambda_size() == 0) return ExplicitStepper::refuses(system);
  return "runge_kutta_4 solves no constraints, and this system has " +
         std::to_string(system.layout().lambda_size()) +
         " rows of them: take dormand_prince, which projects on them, or an implicit stepper";
}

}  // namespace catena
