// The classical Runge-Kutta method of order 4 with a fixed step, for systems without constraints: the integrator of
// many published examples, and the plainest one. A table on the engine of explicit steppers; dormand_prince is the method
// for everything else.
#pragma once
#include <catena/stepper/explicit/explicit_stepper.hpp>

#include <string>

namespace catena {

// Cubic Hermite polynomials: order 3 between the steps.
const ButcherTable& runge_kutta_4_table();

class RungeKutta4 : public ExplicitStepper {
 public:
  // backend empty: the library's own.
  explicit RungeKutta4(LinearSolverFactory backend = {});
  std::string refuses(const System& system) const override;
};

}  // namespace catena
