// The engine of all explicit Runge-Kutta methods. A method is a ButcherTable; the engine runs it on every system, as a
// Munthe-Kaas method in the Lie algebra at q_n,
//
//     q = q_n exp(x),   x' = T^-1(x) v,   v' = a(t, q, v) from [M G^T; G 0] [a; lambda] = [f; -G' v],
//
// with the index-1 equations solved at every stage and, at the end of a step, q and v moved onto the constraints of
// position and velocity in the norm of the mass matrix. Systems with has_rate() are integrated as plain numbers. A method
// with an embedded solution chooses its steps. A method of one's own:
//
//     struct Heun : ExplicitStepper {
//       Heun() : ExplicitStepper({.name = "heun", .summary = "...", .order = 2,
//                                 .c = {0, 1}, .a = {{}, {1}, {0.5, 0.5}}}) {}
//     };
//
// Sources: Munthe-Kaas, Appl. Numer. Math. 29 (1999) 115-127; Hairer, Norsett, Wanner, Solving Ordinary Differential
// Equations I, 2nd ed., II.4-II.6. docs/theory/explicit_runge_kutta.md
#pragma once
#include <catena/stepper/explicit/detail/weighted_sum.hpp>
#include <catena/stepper/explicit/parts/butcher_table.hpp>
#include <catena/stepper/explicit/parts/explicit_options.hpp>
#include <catena/stepper/parts/projected_stepper.hpp>

#include <optional>
#include <string>
#include <vector>

namespace catena {

class ExplicitStepper : public ProjectedStepper {
 public:
  // backend empty: the library's own. A table without an embedded solution has fixed steps whatever the options say.
  // own: further guards, asked of each step that is accurate.
  explicit ExplicitStepper(ButcherTable table, ExplicitOptions options = {}, LinearSolverFactory backend = {},
                           GuardSet own = {});

  // Options that no step could satisfy, and tables with a defect.
  std::string refuses(const System& system) const override;
  // The dense output of the table; q stays on the group, constraints hold to its order between the ends of the step.
  void interpolate(double theta, double* q, double* v) const override;

 protected:
  StepController& controller() {
    return errors_.controller();
  }  // PI control for the order of the embedded solution

 private:
  Outcome set_up(const System& system) override;

  // explicit_stepper.cpp
  KktReport attempt(const State& state, double h) override;
  KktReport finish(const State& state);
  std::optional<ExplicitStages> stages() const override;
  GuardWorkspace guard_workspace() override;

  // dense_output.cpp
  void keep(State& state, double h) override;
  void complete_dense_output() const;

  // explicit_control.cpp
  detail::LocalError local_error(const State& state, double h) override;
  std::size_t error_components() const override { return x_.size() + now_.v.size(); }
  void add_error(State& end) const override;
  StepError step_error(const State& state, double h) override;
  double part_of_error(const State& state, double h);
  double tolerance_of_x(const State& state, std::size_t i) const;
  double tolerance_of_v(const State& state, std::size_t i) const;
  Outcome too_inaccurate(const detail::LocalError& error, double h) override;

  // error_along_rows.cpp
  std::optional<double> take_out_forbidden(std::vector<double>& error);
  std::optional<detail::LocalError> error_beside_rows(const State& state, double h, double part);

  ButcherTable table_;
  ExplicitOptions options_;
  LinearSolverFactory backend_;
  GuardSet own_;
  bool projection_counts_ = false;  // as an error
  double part_ = 1.0;               // part_of_error() of the attempt

  // Derivatives of x and v at the stages, then at the end, then at the stages of the dense output alone.
  mutable detail::StageRows kx_, kv_;
  std::vector<double> x_;                  // of the stage at work, in the chart at the start of the step
  std::vector<double> x_last_, v_last_;    // x and v of the last stage before the end
  std::vector<double> x_taken_, v_taken_;  // what the projection has taken from the end
  std::vector<double> rows_of_error_;      // work
  // Of the step just taken, for interpolate(): r_0, r_1, ... of the dense output.
  double h_dense_ = 0.0;  // of its stages, also behind exchanged()
  mutable detail::StageRows dense_x_, dense_v_;
  mutable bool dense_is_complete_ = false;
  mutable std::vector<double> between_;
  mutable State dense_stage_;
};

}  // namespace catena
