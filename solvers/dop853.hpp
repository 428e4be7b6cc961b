// The explicit Runge-Kutta method of Dormand and Prince of order 8 with errors of orders 5 and 3, and dense output of
// order 7 (Hairer's code DOP853), on every system: a table on the engine of explicit steppers.
//
// Source: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., II.5, II.6 and appendix.
// docs/theory/explicit_runge_kutta.md
#pragma once
#include <catena/stepper/explicit/explicit_stepper.hpp>

#include <utility>

namespace catena {

// Its dense output is of order 7 in q and v, and costs three evaluations in a step that is asked for it.
const ButcherTable& dop853_table();

// Those of explicit steppers, with tolerances that suit order 8: eight digits of the car axis of the test set for IVP solvers
// in 333 steps, where 1e-8 takes 190 (tests/solvers/car_axis.cpp).
struct Dop853Options : ExplicitOptions {
  Dop853Options() { rtol_position = atol_position = rtol_velocity = atol_velocity = 1e-10; }
};

class Dop853 : public ExplicitStepper {
 public:
  using Options = Dop853Options;
  // backend empty: the library's own.
  explicit Dop853(ExplicitOptions options = Dop853Options(), LinearSolverFactory backend = {})
      : ExplicitStepper(dop853_table(), std::move(options), std::move(backend)) {
    // As in DOP853: no part of the last error, and factors between 1/3 and 6.
    controller() = {
        .of_error = 1.0 / dop853_table().error_power(), .smallest_factor = 1.0 / 3.0, .largest_factor = 6.0};
  }
};

}  // namespace catena
