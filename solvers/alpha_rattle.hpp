// alpha-RATTLE: generalized-alpha of the applied forces alone, with the constraints enforced by impulses as in RATTLE.
//
//     (1 - alpha_m) a_{n+1} + alpha_m a_n = (1 - alpha_f) v'_{n+1} + alpha_f v'_n,   v' = M^-1 f
//     q_{n+1} = q_n exp(h (v_n + h ((1/2 - beta) a_n + beta a_{n+1}) + h/2 (R_0 + R_h)))
//     v_{n+1} = v_n + h ((1 - gamma) a_n + gamma a_{n+1}) + h/2 (R_0 + R_1) + h R_h
//
// Rows at velocity level (and holonomic ones at index = 2) have one multiplier, R_h = -M^-1 A^T lambda at
// q_n exp(h/2 v_n), t_n + h/2, from A(q_{n+1}) v_{n+1} + a = 0 (Ma, Chen, Zhang). Holonomic rows at index = 3 have two,
// R_0 = -M^-1 G^T lambda_0 at q_n from g(q_{n+1}) = 0 and R_1 = -M^-1 G^T lambda_1 at q_{n+1} from
// G v_{n+1} + g_t = 0 (Lunk, Simeon 2006), so that both vanish.
//
// State::lambda belongs to t_n + h/2 (index 3: the mean of lambda_0 and lambda_1); State::a is v' at t_{n+1} with
// multipliers extrapolated to there. docs/theory/alpha_rattle.md.
#pragma once
#include <catena/solvers/detail/alpha_coefficients.hpp>
#include <catena/stepper/detail/initial_point.hpp>
#include <catena/stepper/detail/mass_factor.hpp>
#include <catena/stepper/detail/newton_iteration.hpp>
#include <catena/stepper/guards/detail/guard_list.hpp>
#include <catena/stepper/implicit/parts/history_stepper.hpp>
#include <catena/stepper/parts/row_scaling.hpp>
#include <catena/stepper/parts/step_memory.hpp>
#include <catena/stepper/stepper.hpp>

#include <memory>
#include <vector>

namespace catena {

struct AlphaRattleOptions {
  enum class Index { three, two };
  enum class Start { source, consistent };
  enum class Jacobian { every_iteration, every_step };

  double rho_inf = 0.8;  // spectral radius at infinite frequency
  Index index = Index::three;
  Jacobian jacobian = Jacobian::every_step;
  double newton_tolerance = 1e-10;
  int max_newton_iterations = 30;
  Start start = Start::source;
  RowScaling scaling = RowScaling::natural;
  MassJacobian mass_jacobian = MassJacobian::exact;
  double proximal = 1e-12;
  double tolerance = 0.0;  // [1/s] as EngineOptions::tolerance; 0: steps of the size that is asked for
  double max_step = 0.0;   // [s] with tolerance; 0: no limit
  KindTolerances kinds{};  // with tolerance; lengths and angles per second
  GuardOptions guards{};
};

void visit(OptionVisitor& visitor, AlphaRattleOptions& options);

class AlphaRattle : public HistoryStepper {
 public:
  explicit AlphaRattle(AlphaRattleOptions options = {}, LinearSolverFactory backend = {},
                       LinearSolverFactory fallback = {});

  const Traits& traits() const override { return traits_; }
  std::string refuses(const System& system) const override;

  const AlphaRattleOptions& options() const { return options_; }

  // The 2-norm condition number of the Newton matrix of a step of size h by (a_{n+1}, lambda_{n+1}), at the iterate
  // that equals the started state and with a_n held fixed, as the source has it (index = 2). For small systems.
  double condition_number(const State& state, double h);

 private:
  Outcome set_up(const System& system) override;

  // alpha_rattle_start.cpp
  void begin_history(State& state, double h, ConsistentValues& consistent, Outcome& outcome) override;
  void make_work_arrays(const State& state) override;
  Linearization mass_and_rows(double h) const override;
  void scaled(const Point& initial, double compliance) override;

  // alpha_rattle.cpp
  Outcome attempt(const State& state, double h) override;
  Outcome assess(const State& state, double h, Outcome outcome);
  int predict(const State& state, double h);
  void copy_end(double t, State& end) const override;
  void accept(State& state, double h) override;
  void find_end(const State& state, double h);

  // alpha_rattle_step.cpp
  detail::NewtonStep newton_step(double h) const;
  int fill_reactions(const State& state, double h);
  template <class Visit>
  void each_Bt_of_one(const Visit& visit_entry);
  void compute_reactions();
  void move(const State& state, double h);
  Point iterate(const State& state, double h) const;
  void evaluate_at(const Point& at, const Evaluation& wanted);
  void correct();
  int correct_rates(const State& state, double h);
  void compute_end_reaction(const State& state, double h);
  double rate_residual(const State& state, double h, bool with_compliance = true);
  void correct_impulses(const State& state, double h);
  void set_velocity(const State& state, double h);
  void add_end_reaction(double h);
  int finish(const State& state, double h);
  Outcome rates_not_converged(const State& state, double h);
  int factor_mass(double t, const double* q, const double* discrete, detail::MassFactor& into, bool keep_Bt,
                  const double* v = nullptr, double* velocity = nullptr);
  bool finds_rows_of_end(const State& state);
  void reaction(double t, const double* q, const double* discrete, const double* lambda,
                const detail::MassFactor& mass, double* out);
  KktReport factor_rates(const State& state, double h);
  void silence_one(const Evaluation& wanted, double h);
  bool mixed() const { return has_one_ && has_two_; }
  KktSolver& rates_kkt() { return mixed() ? *rates_kkt_ : newton_.kkt(); }
  double relative_scale(detail::RowKind kind, double h) const;
  std::size_t first_row(int dual) const {
    const BlockPattern& p = *system_->layout().pattern;
    return static_cast<std::size_t>(p.dual_offset[static_cast<std::size_t>(dual)] - p.primal_dimension);
  }
  double impulse(std::size_t row) const { return two_[row] ? c_position_ : c_velocity_; }
  double middle_multiplier(std::size_t row) const {
    const double one = lambda_[row] / impulse(row);
    return two_[row] ? 0.5 * (one + lambda_1_[row]) : one;
  }

  AlphaRattleOptions options_;
  Traits traits_;
  LinearSolverFactory backend_, fallback_;
  detail::AlphaCoefficients c_;
  double theta_ = 0.0;  // of the first step with start = source, else 0
  // State::memory, behind the slots of all steppers with a history: a_n, a_{n-1}, v'_n = M^-1 f; lambda_0 (or lambda_h)
  // and lambda_1 of the last step, and the multipliers in the middle of the one before.
  struct {
    MemorySlot a, a_before, vdot, lambda, lambda_1, middle_before;
  } slots_;
  // Rows of both kinds together: Newton's iteration finds lambda_0, with the other rows silent; lambda_1 and lambda_h
  // come from [mass M, G^T; G, 0] with all rows, a second factor on the same analysis.
  std::unique_ptr<KktSolver> rates_kkt_;
  std::vector<char> two_;  // per row: has two multipliers
  bool has_two_ = false, has_one_ = false;

  // The iterate. lambda_: lambda_0 and lambda_h times impulse(); lambda_1_: as they are. total_: a + R_0 / (2 beta) +
  // R_h / gamma, in which Newton's method is linear.
  std::vector<double> q_, v_, a_, vdot_, lambda_, lambda_1_, xi_, total_, r_0_, r_h_, r_1_;
  std::vector<double> v_without_end_;  // v_ without R_1
  double left_ = 0.0;  // of the rows at velocity level, beside the largest velocity, after finish()
  std::vector<double> a_n_, work_, node_, rows_, rates_, mass_q_, half_Bt_;
  detail::MassFactor mass_n_, mass_half_, mass_end_;
  double c_position_ = 1.0, c_velocity_ = 1.0;  // what makes B = G^T
  std::vector<double> a_after_;                 // v' at the end of the step just taken
  bool rows_follow_ =
      false;  // rows_ are those at velocity level of v_, and C of Newton's matrix makes them follow it
  bool rows_at_end_ = false;  // C holds the rows at rows_t_, rows_q_, where the last step ended
  double rows_t_ = 0.0;
  std::vector<double> rows_q_;
};

}  // namespace catena
