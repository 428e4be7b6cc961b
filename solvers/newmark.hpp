// Newmark's method on the Lie group (J. Eng. Mech. Div. ASCE 85, 1959): generalized-alpha with alpha_m = alpha_f = 0.
//
//     xi = h (v_n + h ((1/2 - beta) v'_n + beta v'_{n+1})),   v_{n+1} = v_n + h ((1 - gamma) v'_n + gamma v'_{n+1})
//     beta = (gamma + 1/2)^2 / 4
//
// gamma = 1/2 is the average acceleration method, of order 2 and without damping; above it the order is 1, and high
// frequencies are damped, most at infinity. Index 3 needs that damping.
#pragma once
#include <catena/stepper/implicit/implicit_stepper.hpp>

namespace catena {

struct NewmarkOptions {
  double gamma = 0.6;  // [1/2, 1]
  ImplicitOptions implicit{};
};

void visit(OptionVisitor& visitor, NewmarkOptions& options);

class Newmark : public ImplicitStepper {
 public:
  explicit Newmark(const NewmarkOptions& options = {}, LinearSolverFactory backend = {},
                   LinearSolverFactory fallback = {});
  std::string refuses(const System& system) const override;

 private:
  NewmarkOptions options_;
};

}  // namespace catena
