// Implicit Lie-group integration of the equations of motion as a differential-algebraic equation of index 1, 2 or
// 3, or stabilized (Li, Li, Ding, Pan 2018: backward differences and Crouch-Grossman), of order 1 or 2.
//
//     q_{n+1} = q_n exp(xi),   V' = sigma xi/h - (sigma - 1) eta_n,   eta_n: xi/h of the step before
//     a = sigma (V - V_n)/h - (sigma - 1) alpha_n,                    alpha_n: (V_n - V_{n-1})/h likewise
//     M a + G^T lambda = f(q_{n+1}, V)
//     index 3: g(q_{n+1}) = 0      index 2: G V + g_t = 0      index 1: d/dt (G V + g_t) = 0 with V' = a;   V' = V
//     stabilized: V' = V - W G^T mu with g = 0 and G V + g_t = 0, then v' = a + W G^T omega with the row of index 1
//
// at t_{n+1}; sigma = 1 is the source's first order, sigma = (1 + 2r)/(1 + r), r = h/h_before, BDF2 in the Lie
// algebra. Rows at velocity level are kept there (index 1: differentiated once). With h~ = h/sigma both orders and
// all step sizes have the same Newton matrix. A table on the engine of implicit methods, with u = a; mu and omega are an
// extension of it (lie_dae_stabilized.hpp). docs/theory/lie_dae.md.
#pragma once
#include <catena/stepper/implicit/implicit_stepper.hpp>

namespace catena {

struct LieDaeOptions {
  enum class Index { three, two, one, stabilized };
  enum class Newton { automatic, quasi, exact };
  enum class Guess { extrapolated, last };

  Index index = Index::three;
  int order = 2;  // 1: backward Euler, as in the source; 2: BDF2
  Newton newton =
      Newton::automatic;  // quasi at index 3 and stabilized; else LDU with the rows' terms of order h
  Guess guess = Guess::extrapolated;  // where Newton begins; last: V_n and lambda_n, as in the source
  bool perturbed_start = true;        // index 3: begin with the velocities that the method has later on
  EngineOptions engine{};
};

void visit(OptionVisitor& visitor, LieDaeOptions& options);

class LieDae : public ImplicitStepper {
 public:
  explicit LieDae(const LieDaeOptions& options = {}, LinearSolverFactory backend = {},
                  LinearSolverFactory fallback = {});
  std::string refuses(const System& system) const override;

  const LieDaeOptions& options() const { return options_; }
  // mu and omega of the last step (stabilized; empty otherwise).
  const std::vector<double>& mu() const;
  const std::vector<double>& omega() const;

 private:
  LieDaeOptions options_;
};

}  // namespace catena
