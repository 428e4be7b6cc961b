// BDF on the Lie group at index 3, orders 1 to 4, with steps and orders chosen by an error estimate and gaps closed to
// roundoff. With w_j the weights of the derivative at t_n of the polynomial through the last k + 1 points,
//
//     q_n = q_{n-1} exp(xi_n),   D_i = xi_i / h_i - (h_i / 12) [v_{i-1}, v_i],   P_j = sum_{i <= j} h_i D_i
//     v_n = sum_j w_j P_j,   a_n = sum_j w_j v_j
//     M a_n + G^T lambda = f(q_n, v_n, t_n),   g(q_n, t_n) = 0,   A v_n + a = 0 of rows at velocity level
//
// and behind the iteration v moved to the nearest velocity that the rows allow, a and lambda from the index-1 system there.
// The history keeps v_n as it was. D_i is the mean velocity of a step; without its bracket every order is 2.
//
// A start continues the motion backwards by v and its first three derivatives, from accelerations at three instants of the
// first step, so that every order begins at once. Orders 3 and 4 are not A-stable: what they damp lies within 86 and 73
// degrees of the negative real axis. Newton's matrix is made once a step, with damping and stiffness.
//
// Source: for the group, design by the authors of this library, with the Magnus expansion (Iserles et al., Acta Numerica 9,
// 2000); for the rest Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, III.5-7, and Hairer, Wanner, II,
// VII.3. docs/theory/lie_bdf.md
#pragma once
#include <catena/kkt/detail/resisted_error.hpp>
#include <catena/solvers/detail/bdf_weights.hpp>
#include <catena/stepper/detail/newton_matrix.hpp>
#include <catena/stepper/parts/projected_implicit_stepper.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace catena {

struct LieBdfOptions {
  enum class Control : std::uint8_t { adaptive, fixed };
  Control control = Control::adaptive;  // fixed: steps of the run, all of the largest order
  // As those of ExplicitOptions, but of the error that a step makes per second: what a run is wrong by falls in proportion.
  double rtol_position = 1e-6, atol_position = 1e-6;  // [1/s]
  double rtol_velocity = 1e-6, atol_velocity = 1e-6;  // [1/s], s_i per second [1/s^2]
  KindTolerances kinds{};
  double initial_step = 0.0;       // [s] 0: from the first two derivatives
  double max_step = 0.0;           // [s] 0: no limit
  int max_order = 3;               // [1, 4]
  int max_newton_iterations = 10;  // [1, 1000] a step that needs more is cut
  GuardOptions guards{};           // dependent_rows, pole
};

void visit(OptionVisitor& visitor, LieBdfOptions& options);

class LieBdf : public ProjectedImplicitStepper {
 public:
  using Options = LieBdfOptions;
  // backend empty: the library's own; fallback: a pivoting solver for matrices that backend refuses.
  explicit LieBdf(LieBdfOptions options = {}, LinearSolverFactory backend = {},
                  LinearSolverFactory fallback = {});

  // Options that no step could satisfy.
  std::string refuses(const System& system) const override;

 private:
  static constexpr int largest = detail::bdf_largest_order;

  Outcome set_up(const System& system) override;
  Outcome exchanged(State& state, double h) override;
  KktReport attempt(const State& state, double h) override;
  void keep(State& state, double h) override;
  double error_for_next(double error) override;

  // lie_bdf_step.cpp
  KktReport find_history(const State& state, double h);
  KktReport continue_backwards(const State& state, double h);
  void predict(const State& state, double h);
  void move(const State& state, double h);
  KktReport solve(double h, bool with_matrix);
  double correct(double h);
  KktReport iterate(const State& state, double h);
  void weigh(const double* weights, int count, const std::vector<double>& now,
             const std::array<const double*, largest>& before, double* out) const;
  void estimate_error(int order);
  void choose_order(const State& state);

  LieBdfOptions options_;
  LinearSolverFactory backend_, fallback_;
  detail::NewtonMatrix matrix_;
  // State::memory: velocity of the last step as the history has it; means of v and v' over the last steps; their sizes, 0
  // where none was taken; order of the next step; steps since the order or the size was chosen; contraction.
  MemorySlot v_last_, mean_v_, mean_a_, sizes_, order_slot_, kept_, contraction_slot_;

  // The step in hand.
  int order_ = 1;
  bool from_start_ = false;  // the history is that of continue_backwards()
  detail::BdfSteps h_{};
  detail::BdfWeights weights_;
  std::array<const double*, largest> means_v_{}, means_a_{};  // of the steps before
  const double* v_before_ = nullptr;
  std::vector<double> backwards_v_, backwards_a_;  // [4 v_size]
  State end_;                                      // the iterate
  std::vector<double> xi_, mean_v_now_, mean_a_now_, v_known_, a_known_, bracket_;
  std::vector<double> x_, raw_x_, raw_v_;  // x_: right-hand sides and solutions [v_size + lambda_size]
  detail::ResistedError resisted_;
  std::vector<double> of_rows_;  // of a motion [v_size + lambda_size], where some are at velocity level
  // Of the step that is kept: what the next one begins with.
  int next_order_ = 1, next_kept_ = 0;
  double next_error_ = -1.0;  // in tolerances, at another order; -1: the order stays
};

}  // namespace catena
