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
// all step sizes have the same Newton matrix: the unknown is the perturbation of q at the current iterate,
// divided by h~^2. mu and omega come from [W^-1 G^T; G 0], a second numeric factor on the same analysis.
// docs/theory/lie_dae.md.
#pragma once
#include <catena/kkt/consistent.hpp>
#include <catena/math/option.hpp>
#include <catena/stepper/multiplier_pole.hpp>
#include <catena/stepper/newton_iteration.hpp>
#include <catena/stepper/step_resolution.hpp>
#include <catena/stepper/stepper.hpp>

#include <memory>
#include <vector>

namespace catena {

struct LieDaeOptions {
  enum class Index { three, two, one, stabilized };
  enum class Newton { automatic, quasi, exact };
  enum class Guess { extrapolated, last };

  Index index = Index::three;
  int order = 2;  // 1: backward Euler, as in the source; 2: BDF2
  Newton newton =
      Newton::automatic;  // quasi at index 3 and stabilized; else LDU with the rows' terms of order h
  JacobianUpdate jacobian = JacobianUpdate::every_step;
  Guess guess = Guess::extrapolated;  // where Newton begins; last: V_n and lambda_n, as in the source
  double newton_tolerance = 1e-10;
  int max_newton_iterations = 30;
  bool perturbed_start = true;  // index 3: begin with the velocities that the method has later on
  double proximal = 1e-12;
};

void visit(OptionVisitor& visitor, LieDaeOptions& options);

class LieDae : public Stepper {
 public:
  explicit LieDae(LieDaeOptions options = {}, LinearSolverFactory backend = {},
                  LinearSolverFactory fallback = {});

  const Traits& traits() const override { return traits_; }
  std::string refuses(const System& system) const override;
  Outcome start(State& state, double h) override { return begin(state, h, true); }
  Outcome restart(State& state, double h) override { return begin(state, h, false); }
  Outcome step(State& state, double h) override;
  void interpolate(double theta, double* q, double* v) const override;
  const StepperStatistics& statistics() const override { return statistics_; }

  const LieDaeOptions& options() const { return options_; }
  KktSolver& kkt() { return newton_.kkt(); }
  // mu and omega of the last step (stabilized; empty otherwise).
  const std::vector<double>& mu() const { return mu_; }
  const std::vector<double>& omega() const { return omega_; }

 private:
  Outcome take_on(const System& system) override;
  // State::memory, in this order.
  struct Memory;
  // Velocities of index 3 differ from the exact ones by the part normal to the constraints of
  // jerk v'' + bracket [v, v'] + rate v' (docs/theory/lie_dae.md).
  struct Offset {
    double rate = 0.0, jerk = 0.0, bracket = 0.0;
  };
  static Offset offset(int order, double h, double h_before);

  // lie_dae.cpp
  void make_work_arrays(const State& state);
  std::size_t memory_size(const State& state) const;
  void set_compliance(const State& state, double epsilon);
  void accept(State& state, double h);
  Outcome rejected(Outcome outcome);
  bool is(LieDaeOptions::Index index) const { return options_.index == index; }
  bool stabilized() const { return is(LieDaeOptions::Index::stabilized); }
  bool exact() const { return options_.newton == LieDaeOptions::Newton::exact; }
  bool whole_matrix() const;

  // lie_dae_start.cpp
  // first: positions are held to start_position_tolerance; later on index 2 and 1 let them drift.
  Outcome begin(State& state, double h, bool first);
  Outcome make_consistent(State& state, double h, bool first);
  StepResolution measure_resolution(const State& state);
  void write_history(State& state, double h);
  bool extrapolated_step(const State& from, double h, State& end);
  KktReport change_offset(const State& state, const Offset& change);

  // lie_dae_newton.cpp
  Outcome attempt(const State& state, double h);
  NewtonStep newton_step(double h) const;
  KktReport predict(const State& state, double h, bool& new_matrix);
  void move(const State& state);
  Point iterate() const;
  void evaluate_at_iterate(Evaluation wanted);
  void solve_acceleration_rows();
  void rows_along(const double* u, double epsilon, double* rows);
  void correct();

  // lie_dae_drift.cpp
  Outcome check_drift(const State& state);
  Outcome check_gaps();
  Outcome check_velocities(double t);
  double weakest_pivot();

  // lie_dae_matrix.cpp
  bool keeps_matrix() const { return options_.jacobian == JacobianUpdate::when_slow; }
  void note_matrix();
  bool find_matrix(const State& state, NewtonStep step);
  bool find_projector(const State& state);

  // lie_dae_stabilized.cpp
  void make_projector(const Point& initial, double compliance);
  KktReport refresh_projector(bool with_velocity_level);
  void decouple_velocity_level(bool with_velocity_level);
  void find_velocities();
  void solve_projector();
  void negative_velocity_rows(double* rows) const;
  void clear_rows(Level level, double* rows) const;
  void correct_mu();
  void linearize_couplings(const Point& at, const double* xi, const double* mu);
  void solve_coupled(bool refresh);
  void show_all_corrections();
  void close_positions(const State& state);
  Outcome find_omega(const State& state);

  LieDaeOptions options_;
  LinearSolverFactory backend_, fallback_;
  Traits traits_;
  const System* system_ = nullptr;
  NewtonIteration newton_;
  MultiplierPole pole_;
  StepperStatistics statistics_;
  bool has_velocity_level_ = false;   // the system has rows at velocity level
  std::vector<double> matrix_point_;  // where the matrix was made, as in State::memory
  bool have_matrix_ = false;          // the factor is that of matrix_point_
  bool have_projector_ = false;       // the projector is that of the state
  double compliance_ = -1.0;          // that the matrices hold; negative: none yet
  int order_ = 1;                     // of the step in hand: 1 inside start()
  double tolerance_ = 1e-10;          // likewise

  // The step in hand.
  double t_ = 0.0, h_tilde_ = 0.0, sigma_ = 1.0;
  double weakest_at_start_ = 0.0;  // index 1: local Schur pivot of [M G^T; G 0] at the initial state
  double kinetic_ = 0.0;           // index 1: twice the largest kinetic energy up to its end [J]
  const double* discrete_ = nullptr;
  // The iterate: xi, V' and V, a; eta_n, alpha_n; V_n as the step sees it.
  std::vector<double> q_, v_prime_, v_, a_, lambda_, xi_, eta_, alpha_, v_n_;
  std::vector<double> work_, product_;

  // Exact Newton at index 1.
  std::vector<double> target_, rows_after_, moved_q_, moved_v_, moved_a_;

  // Stabilized: the projector [W^-1 G^T; G 0], sqrt(W), and for exact Newton the couplings between delta and mu.
  std::unique_ptr<KktSolver> projector_;
  std::vector<double> metric_;
  std::unique_ptr<BlockMatrix> dynamics_,
      kinematics_;  // H = M + h~ D; H = h~ d(G^T mu)/dq, C = G T^-1 + h~ N
  std::vector<double> mu_, omega_, velocity_rows_, normal_, projected_, first_solution_, input_;

  State before_;  // where the discrete state may change: for the way back

  // The step just taken, for interpolate().
  std::vector<double> q_before_, v_before_, a_before_;
  mutable std::vector<double> rate_;
  double h_taken_ = 0.0;
};

}  // namespace catena
