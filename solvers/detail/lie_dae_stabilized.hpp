// The stabilized form of lie_dae: V' = V - W G^T mu takes q onto the constraints, V keeps G V + g_t = 0; W = I, but for
// mechanisms far from the size of a metre the square of their size on lengths. With x the change of W G^T mu and all
// changes divided by h~ (of V) or h~^2 (of q), Newton's system is
//     H delta + G^T dlambda = -r   - (M + h~ D) (h~ K_mu delta + x)        K_mu = W d(G^T mu)/dq
//     G delta               = -g / h~^2
//     G x = -(G V + g_t) / h~ - (G T^-1 + h~ N + h~ G K_mu) delta,    x = W G^T dmu
// the first two rows with the matrix of index 3, the last with the projector [W^-1 G^T; G 0], a second numeric factor on
// the same analysis. quasi: one after the other, the last one at the new q; exact: repeated until nothing moves, products
// with the couplings in between. At the end of the step omega makes a the consistent acceleration.
#pragma once
#include <catena/stepper/implicit/parts/step_extension.hpp>

#include <memory>
#include <vector>

namespace catena::detail {

class Stabilization : public StepExtension {
 public:
  Stabilization(bool exact, double proximal) : exact_(exact), proximal_(proximal) {}
  const std::vector<double>& mu() const { return mu_; }
  const std::vector<double>& omega() const { return omega_; }

  void attach(const System& system, NewtonIteration& newton, StepperStatistics& statistics,
              StepMemory& memory) override;
  void allocate(const ImplicitIterate& iterate) override;
  void scale(const Point& initial, double compliance) override;
  void adjust(NewtonStep& step) override;
  void predict(const State& state, ImplicitIterate& iterate) override;
  bool keep_matrix(const State& state, ImplicitIterate& iterate) override;
  void moved(ImplicitIterate& iterate) override;
  void evaluate(const Point& at, Evaluation wanted) override;
  KktReport solved(ImplicitIterate& iterate) override;
  void corrected(ImplicitIterate& iterate) override;
  Outcome finish(const State& state, ImplicitIterate& iterate) override;
  void accept(State& state, const ImplicitIterate& iterate) override;
  void rejected() override { have_projector_ = false; }
  std::size_t matrix_numbers() const override;
  void write_matrix_numbers(double* out) const override;
  void matrix_made_again(const Point& at, const double* xi, const double* numbers) override;

 private:
  void make_projector(const Point& initial, double compliance);
  KktReport refresh_projector(const Point& at, bool with_velocity_level);
  void decouple_velocity_level(bool with_velocity_level);
  void solve_projector();
  void negative_velocity_rows(double* rows) const;
  void clear_rows(Level level, double* rows) const;
  void correct_mu(ImplicitIterate& iterate);
  void linearize_couplings(const Point& at, const double* xi, const double* mu);
  void solve_coupled(const ImplicitIterate& iterate);
  void close_positions(const State& state, ImplicitIterate& iterate);

  const bool exact_;
  const double proximal_;
  const System* system_ = nullptr;
  NewtonIteration* newton_ = nullptr;
  StepperStatistics* statistics_ = nullptr;
  MemorySlot slot_, alpha_;  // mu_n, and (V_n - V_{n-1}) / h of the table
  bool has_velocity_level_ = false;
  bool have_projector_ = false;           // the projector is that of the state
  double compliance_ = 0.0, back_ = 0.0;  // back: h~ of the step in hand

  std::unique_ptr<KktSolver> projector_;
  std::vector<double> metric_;  // sqrt(W)
  // Exact: H = M + h~ D; H = h~ d(G^T mu)/dq, C = G T^-1 + h~ N
  std::unique_ptr<BlockMatrix> dynamics_, kinematics_;
  std::vector<double> mu_, omega_, velocity_rows_, normal_, v_prime_, a_prime_, projected_, first_solution_,
      input_, product_, work_;
};

}  // namespace catena::detail
