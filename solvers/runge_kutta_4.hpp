// The classical Runge-Kutta method of order 4, for systems without constraints: the integrator of many published examples,
// and the plainest one. Its steps are fixed, or with a tolerance chosen by the difference to an embedded solution of order 3.
// A table on the engine of explicit steppers; dormand_prince is the method for everything else.
#pragma once
#include <catena/math/option.hpp>
#include <catena/stepper/explicit/explicit_stepper.hpp>

#include <string>

namespace catena {

// Cubic Hermite polynomials: order 3 between the steps.
const ButcherTable& runge_kutta_4_table();

struct RungeKutta4Options {
  // [1, 1/s] The error of a step in positions and velocities: relative to them, plus in characteristic sizes. 0: steps of the
  // size that is asked for.
  double tolerance = 0.0;
  double max_step = 0.0;   // [s] with tolerance; 0: no limit
  KindTolerances kinds{};  // with tolerance; there are no multipliers to control
};
void visit(OptionVisitor& visitor, RungeKutta4Options& options);

class RungeKutta4 : public ExplicitStepper {
 public:
  using Options = RungeKutta4Options;
  // backend empty: the library's own.
  explicit RungeKutta4(const RungeKutta4Options& options = {}, LinearSolverFactory backend = {});
  std::string refuses(const System& system) const override;

 private:
  RungeKutta4Options given_;
};

}  // namespace catena
