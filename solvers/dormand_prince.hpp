// The explicit Runge-Kutta method of Dormand and Prince, order 5 with an embedded solution of order 4 (what ode45 is), on
// every system: a table on the engine of explicit steppers.
//
// Sources: Dormand, Prince, J. Comput. Appl. Math. 6 (1980) 19-26; Hairer, Norsett, Wanner, Solving Ordinary
// Differential Equations I, 2nd ed., II.5, II.6. docs/theory/explicit_runge_kutta.md
#pragma once
#include <catena/stepper/explicit/explicit_stepper.hpp>

#include <utility>

namespace catena {

using DormandPrinceOptions = ExplicitOptions;

// Its dense output is of order 4 in q and v.
const ButcherTable& dormand_prince_table();

class DormandPrince : public ExplicitStepper {
 public:
  using Options = DormandPrinceOptions;
  // backend empty: the library's own.
  explicit DormandPrince(DormandPrinceOptions options = {}, LinearSolverFactory backend = {})
      : ExplicitStepper(dormand_prince_table(), std::move(options), std::move(backend)) {}
};

}  // namespace catena
