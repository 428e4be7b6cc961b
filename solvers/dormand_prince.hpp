// The explicit Runge-Kutta method of Dormand and Prince, order 5 with an embedded solution of order 4 (what
// ode45 is), on every system: as a Munthe-Kaas method in the Lie algebra at q_n,
//
//     q = q_n exp(x),   x' = T^-1(x) v,   v' = a(t, q, v) from [M G^T; G 0] [a; lambda] = [f; -G' v],
//
// with the index-1 system solved at every stage and, at the end of a step, q and v moved onto position and
// velocity constraints in the norm of the mass matrix. Systems with has_rate() are integrated as plain numbers.
//
// Sources: Dormand, Prince, J. Comput. Appl. Math. 6 (1980) 19-26; Hairer, Norsett, Wanner, Solving Ordinary
// Differential Equations I, 2nd ed., II.4-II.6 (step control, start, dense output); Munthe-Kaas, Appl. Numer.
// Math. 29 (1999) 115-127. docs/theory/explicit_runge_kutta.md
#pragma once
#include <catena/kkt/kkt_solver.hpp>
#include <catena/stepper/multiplier_pole.hpp>
#include <catena/stepper/stepper.hpp>

#include <vector>

namespace catena {

struct DormandPrinceOptions {
  enum class Control : std::uint8_t { adaptive, fixed };
  Control control = Control::adaptive;
  // A step is accepted where the root mean square of error_i / (atol s_i + rtol |y_i|) is at most 1; s_i is the
  // characteristic size of component i (SystemLayout). Bodies have no |q|: there it counts as s_i.
  double rtol_position = 1e-8, atol_position = 1e-8;
  double rtol_velocity = 1e-8, atol_velocity = 1e-8;  // s_i per second
  double initial_step = 0.0;                          // [s] 0: from the first two derivatives
  double max_step = 0.0;                              // [s] 0: no limit
  bool stiffness_check = true;                        // ends a run whose steps stability limits, not accuracy
};
void visit(OptionVisitor& visitor, DormandPrinceOptions& options);

class DormandPrince : public Stepper {
 public:
  using Options = DormandPrinceOptions;
  // backend empty: the library's own.
  explicit DormandPrince(DormandPrinceOptions options = {}, LinearSolverFactory backend = {});

  const Traits& traits() const override;
  std::string refuses(const System&) const override;
  Outcome start(State& state, double h) override;
  Outcome restart(State& state, double h) override;
  // With step control h is the largest step wanted: parts of it are taken where the error asks for it. A step
  // below the roundoff of t: Status::step_too_small, with the component of the largest error.
  Outcome step(State& state, double h) override;
  double proposed_step(const State& state) const override;
  // Order 4 in q and v; q stays on the group, constraints hold to that order between the ends of the step.
  void interpolate(double theta, double* q, double* v) const override;
  const StepperStatistics& statistics() const override { return statistics_; }

 private:
  Outcome take_on(const System& system) override;
  struct Memory;  // State::memory
  bool adaptive() const { return options_.control == DormandPrinceOptions::Control::adaptive; }

  // dormand_prince.cpp
  KktReport attempt(const State& state, double h);
  void place(const State& state, const double* x);
  Outcome failure(const KktReport& report) const;
  Outcome judged(Outcome outcome, const State& state, double h);
  Point at(double t, const double* q, const double* v) const;

  // dormand_prince_start.cpp
  KktReport make_ready(State& state);

  // dormand_prince_control.cpp
  double position_scale(std::size_t i, double x) const;
  double velocity_scale(std::size_t i, double v) const;
  double first_step(const State& state, double longest);
  double error(const State& state, double h);
  Outcome too_inaccurate(double t, double h);
  double advice(const Memory& memory, double h, double asked, double err, bool rejected) const;
  double cut_after(double err) const;
  bool limited_by_stability(const Memory& memory, double h);
  int worst_velocity_change() const;

  // dormand_prince_accept.cpp
  KktReport accept(State& state, double h);

  // dormand_prince_jump.cpp
  double projection_noise(double speed) const;
  KktReport finish_and_compare(const State& state, double h);
  KktReport check_jump(const State& state, double h);
  std::string constraint_that_takes(double t, double h);
  double norm_by_mass(const std::vector<double>& q, const std::vector<double>& v);

  // dormand_prince_index_1.cpp
  KktReport accelerate(double t);
  KktReport finish(double t);
  KktReport factorize_and_solve();
  void look_for_redundant_rows();
  void solve();
  void residuals(const Point& point, const Evaluation& wanted);
  KktReport check_finite(KktReport report, const char* quantity) const;
  struct Correction {
    KktReport report;
    double largest = 0.0;  // of a
  };
  Correction correct_accelerations(double t);
  void name_broken_gap(double t, KktReport& report);
  KktReport close_positions(double t);
  KktReport close_velocities(double t);
  KktReport close_accelerations(double t);
  KktReport linearize_and_solve(double t, bool with_forces);

  DormandPrinceOptions options_;
  LinearSolverFactory backend_;
  const System* system_ = nullptr;
  KktSolver kkt_;
  MultiplierPole pole_;
  StepperStatistics statistics_;
  bool plain_ = false;                // q is integrated as plain numbers, by System::rate()
  bool redundant_ = false;            // rows depend on each other from the start
  bool sized_ = false;                // q has a size of its own to which errors are relative
  const double* discrete_ = nullptr;  // of the state in step()
  double roundoff_length_ = 1.0;

  static constexpr int stages = 7;
  std::vector<double> kx_[stages], kv_[stages];  // derivatives of x and v
  std::vector<double> x_, v_, q_, a_, lambda_;   // the stage at work; after an attempt the end of the step
  std::vector<double> x_stage_, v_stage_;        // x and v of the last stage before the end
  std::vector<double> rhs_;
  std::vector<double> taken_x_, taken_v_;  // by the projection at the end of an attempt
  double weakest_pivot_ = 1.0;             // of the last factorisation, relative
  double jumps_hide_below_ = 0.0;  // [s] in shorter steps, roundoff is larger than what the last jump took
  int worst_ = 0;                  // component of the largest error: x, then v
  double worst_error_ = 0.0;       // relative to its tolerance
  bool worst_is_taken_ = false;    // it is what the projection took
  double stiffness_ = 0.0;         // h times the estimate of the largest eigenvalue
  // The step just taken, for interpolate(): start, increment, and the two corrections of the dense output.
  double h_taken_ = 0.0;
  double h_before_ = 0.0;  // of the last step that succeeded, which lambda_before_ began; 0: none
  std::vector<double> q_before_, v_before_, lambda_before_, discrete_before_;
  std::vector<double> dense_x_[4], dense_v_[4];
  mutable std::vector<double> between_;
};

}  // namespace catena
