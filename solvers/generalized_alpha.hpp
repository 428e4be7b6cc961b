// Generalized-alpha on the Lie group of the system (Arnold, Bruels, Cardona, Numer. Math. 129, 2015), for
// constraints at position level (index 3, rows scaled by 1/h^2) or at velocity level (index 2, 1/h).
//
//     q_{n+1} = q_n exp(h (v_n + (1/2 - beta) h a_n + beta h a_{n+1}))
//     v_{n+1} = v_n + h ((1 - gamma) a_n + gamma a_{n+1})
//     (1 - alpha_m) a_{n+1} + alpha_m a_n = (1 - alpha_f) v'_{n+1} + alpha_f v'_n
//     M v'_{n+1} + G^T lambda_{n+1} = f_{n+1},   g(q_{n+1}) = 0   or   G v_{n+1} + g_t = 0
//
// Newton's unknown is the perturbation delta of q at the current iterate, divided by beta h^2, so that
// index 3 has B = G^T and C = G exactly and no entry of the matrix depends on the size of h.
#pragma once
#include <catena/kkt/consistent.hpp>
#include <catena/math/option.hpp>
#include <catena/solvers/alpha_coefficients.hpp>
#include <catena/stepper/initial_point.hpp>
#include <catena/stepper/multiplier_pole.hpp>
#include <catena/stepper/newton_iteration.hpp>
#include <catena/stepper/step_resolution.hpp>
#include <catena/stepper/stepper.hpp>

#include <memory>
#include <vector>

namespace catena {

struct GeneralizedAlphaOptions {
  enum class Index { three, two };
  enum class Newton { quasi, exact };
  enum class Start { perturbed, source, consistent };

  double rho_inf = 0.8;  // spectral radius at infinite frequency
  Index index = Index::three;
  Newton newton = Newton::quasi;  // LDL^T of the symmetric part, or LDU of the whole matrix
  JacobianUpdate jacobian = JacobianUpdate::every_step;
  double newton_tolerance = 1e-10;
  int max_newton_iterations = 12;
  Start start = Start::perturbed;
  RowScaling scaling = RowScaling::natural;
  MassJacobian mass_jacobian = MassJacobian::exact;
  double proximal = 1e-12;
};

void visit(OptionVisitor& visitor, GeneralizedAlphaOptions& options);

class GeneralizedAlpha : public Stepper {
 public:
  explicit GeneralizedAlpha(GeneralizedAlphaOptions options = {}, LinearSolverFactory backend = {},
                            LinearSolverFactory fallback = {});

  const Traits& traits() const override;
  std::string refuses(const System& system) const override;
  Outcome start(State& state, double h) override { return begin(state, h, true); }
  Outcome restart(State& state, double h) override { return begin(state, h, false); }
  Outcome step(State& state, double h) override;
  void interpolate(double theta, double* q, double* v) const override;
  const StepperStatistics& statistics() const override { return statistics_; }

  const GeneralizedAlphaOptions& options() const { return options_; }
  KktSolver& kkt() { return newton_.kkt(); }

  // The 2-norm condition number of the Newton matrix of a step of size h by (a_{n+1}, lambda_{n+1}), at the iterate
  // that equals the started state and with a_n held fixed; the balance as the source has it, M a - (1 - alpha_f) /
  // (1 - alpha_m) F. For small systems: cost (v_size + lambda_size)^3.
  double condition_number(const State& state, double h);

 private:
  Outcome take_on(const System& system) override;
  // State::memory, in this order.
  struct Memory;

  // generalized_alpha_start.cpp
  // first: positions are held to start_position_tolerance; later on index 2 and 1 let them drift.
  Outcome begin(State& state, double h, bool first);
  Outcome make_consistent(State& state, double h, bool first);
  StepResolution measure_resolution(const State& state, double h);

  // generalized_alpha_level.cpp
  KktReport change_velocity_level(const State& state, double ratio);
  Outcome check_velocity_level(Point at, double h);

  // generalized_alpha_matrix.cpp
  bool keeps_matrix() const { return options_.jacobian == JacobianUpdate::when_slow; }
  bool find_matrix(const State& state, const NewtonStep& step);
  void note_matrix(const State& state, double h);

  void make_work_arrays(const State& state);
  Linearization mass_and_rows(double h) const;
  void set_compliance(double epsilon, double h);
  Outcome attempt(const State& state, double h);
  Outcome rejected(Outcome outcome);
  NewtonStep newton_step(double h) const;
  KktReport predict(const State& state, double h);
  void move(const State& state, double h);
  Point iterate(const State& state, double h) const;
  void correct();
  void accept(State& state, double h);
  void evaluate_at(const Point& at, const Evaluation& wanted);
  double relative_scale(RowKind kind, double h) const;
  bool perturbed() const { return options_.start == GeneralizedAlphaOptions::Start::perturbed; }
  bool index_three() const { return options_.index == GeneralizedAlphaOptions::Index::three; }

  GeneralizedAlphaOptions options_;
  LinearSolverFactory backend_, fallback_;
  AlphaCoefficients c_;
  double theta_ = 0.0;  // of the first step with start = source, else 0
  const System* system_ = nullptr;
  NewtonIteration newton_;
  InitialPoint initial_;  // where the rows are scaled by h: a step may be of another size than the last
  MultiplierPole pole_;
  StepperStatistics statistics_;
  // The iterate at t_{n+1}, and h times the velocity increment xi with q_{n+1} = q_n exp(xi).
  std::vector<double> q_, v_, a_, vdot_, lambda_, xi_;
  // Effective v_n and a_n of this step (perturbed start, changed step size).
  std::vector<double> v_n_, a_n_;
  std::vector<double> work_, inertia_;
  std::vector<double> mass_q_;        // mass_jacobian = extrapolated: where M is taken
  mutable std::vector<double> rate_;  // of interpolate()
  std::vector<double> matrix_point_;  // where the matrix was made, as in State::memory
  bool have_matrix_ = false;          // the factor is that of matrix_point_
  static constexpr double none = -1.0;
  double compliance_ = none;  // that the matrix holds
  double scaled_for_ = 0.0;   // step size for which its rows are scaled
  State before_;              // where the discrete state may change: for the way back
  // The step just taken, for interpolate().
  std::vector<double> q_before_, v_before_, vdot_before_;
  double h_taken_ = 0.0;
};

}  // namespace catena
