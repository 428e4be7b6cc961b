// The method of Hilber, Hughes and Taylor on the Lie group (Earthquake Eng. Struct. Dyn. 5, 1977; for constraints at
// position level Negrut, Rampalli, Ottarsson, Sajdak, J. Comput. Nonlinear Dyn. 2, 2007): forces, those of the
// constraints among them, are averaged over the step, inertia is not.
//
//     a_{n+1} = (1 - alpha) v'_{n+1} + alpha v'_n,   beta = (1 + alpha)^2 / 4,   gamma = 1/2 + alpha
//
// generalized-alpha with alpha_m = 0, of spectral radius (1 - alpha) / (1 + alpha) at infinite frequency.
#pragma once
#include <catena/stepper/implicit/implicit_stepper.hpp>

namespace catena {

struct HhtOptions {
  double alpha = 0.3;  // [0, 1/3] more damps high frequencies more; the sign of the paper is the opposite one
  ImplicitOptions implicit{};
};

void visit(OptionVisitor& visitor, HhtOptions& options);

class Hht : public ImplicitStepper {
 public:
  explicit Hht(const HhtOptions& options = {}, LinearSolverFactory backend = {},
               LinearSolverFactory fallback = {});
  std::string refuses(const System& system) const override;

 private:
  HhtOptions options_;
};

}  // namespace catena
