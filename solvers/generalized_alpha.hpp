// Generalized-alpha on the Lie group of the system (Arnold, Bruels, Cardona, Numer. Math. 129, 2015), for
// constraints at position level (index 3, rows scaled by 1/h^2) or at velocity level (index 2, 1/h).
//
//     q_{n+1} = q_n exp(h (v_n + (1/2 - beta) h a_n + beta h a_{n+1}))
//     v_{n+1} = v_n + h ((1 - gamma) a_n + gamma a_{n+1})
//     (1 - alpha_m) a_{n+1} + alpha_m a_n = (1 - alpha_f) v'_{n+1} + alpha_f v'_n
//     M v'_{n+1} + G^T lambda_{n+1} = f_{n+1},   g(q_{n+1}) = 0   or   G v_{n+1} + g_t = 0
//
// A table on the engine of implicit methods: slots a_n and a_{n-1}. docs/theory/generalized_alpha.md.
#pragma once
#include <catena/stepper/implicit/implicit_stepper.hpp>

namespace catena {

struct GeneralizedAlphaOptions {
  enum class Index { three, two };
  enum class Newton { quasi, exact };
  enum class Start { perturbed, source, consistent };

  double rho_inf = 0.8;  // spectral radius at infinite frequency
  Index index = Index::three;
  Newton newton = Newton::quasi;  // LDL^T of the symmetric part, or LDU of the whole matrix
  Start start = Start::perturbed;
  RowScaling scaling = RowScaling::natural;
  MassJacobian mass_jacobian = MassJacobian::exact;
  EngineOptions engine{.max_newton_iterations = 12};
};

void visit(OptionVisitor& visitor, GeneralizedAlphaOptions& options);

class GeneralizedAlpha : public ImplicitStepper {
 public:
  explicit GeneralizedAlpha(const GeneralizedAlphaOptions& options = {}, LinearSolverFactory backend = {},
                            LinearSolverFactory fallback = {});
  std::string refuses(const System& system) const override;
  const GeneralizedAlphaOptions& options() const { return options_; }

 private:
  GeneralizedAlphaOptions options_;
};

}  // namespace catena
