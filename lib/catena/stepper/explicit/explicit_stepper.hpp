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
#include <catena/stepper/detail/error_control.hpp>
#include <catena/stepper/explicit/detail/index_1.hpp>
#include <catena/stepper/explicit/detail/weighted_sum.hpp>
#include <catena/stepper/explicit/parts/butcher_table.hpp>
#include <catena/stepper/explicit/parts/explicit_options.hpp>
#include <catena/stepper/guards/detail/guard_list.hpp>
#include <catena/stepper/parts/step_memory.hpp>

#include <string>
#include <vector>

namespace catena {

class ExplicitStepper : public Stepper {
 public:
  // backend empty: the library's own. A table without an embedded solution has fixed steps whatever the options say.
  // own: further guards, asked of each step that is accurate.
  explicit ExplicitStepper(ButcherTable table, ExplicitOptions options = {}, LinearSolverFactory backend = {},
                           GuardSet own = {});

  const Traits& traits() const override { return traits_; }
  // Options that no step could satisfy, and tables with a defect.
  std::string refuses(const System& system) const override;
  bool continues(const State& state) const override { return memory_.fits(state); }
  double proposed_step(const State& state) const override;
  void estimate_errors(bool wanted) override { estimates_ = wanted; }
  // The dense output of the table; q stays on the group, constraints hold to its order between the ends of the step.
  void interpolate(double theta, double* q, double* v) const override;

 protected:
  // After a restart steps continue as they were: a jump of a force by a controller is no reason to find the first one
  // again.
  Outcome begin(State& state, double h, bool first) override;
  // With step control h is the largest step wanted: parts of it are taken where the error asks for it. A step
  // below the roundoff of t: Status::step_too_small, with the component of the largest error.
  Outcome take_step(State& state, double h) override;
  Outcome exchanged(State& state, double h) override;

  Traits traits_;
  StepController& controller() {
    return errors_.controller();
  }  // PI control for the order of the embedded solution

 private:
  Outcome set_up(const System& system) override;
  bool adaptive() const { return traits_.chooses_step; }

  // explicit_stepper.cpp
  KktReport make_consistent(State& state);
  KktReport attempt(const State& state, double h);
  KktReport finish(const State& state);
  void accept(State& state, double h);
  ExplicitStages stages() const;
  GuardWorkspace guard_workspace();
  Outcome assess(detail::GuardList& guards, Outcome outcome, const State& state, double h);
  Outcome watch_poles(Outcome outcome, const State& state, double h);

  // dense_output.cpp
  void begin_dense_output(const State& state, double h);
  void complete_dense_output() const;

  // explicit_control.cpp
  double first_step(const State& state, double longest);
  detail::LocalError local_error(const State& state, double h);
  StepError step_error(const State& state, double h);
  double part_of_error(const State& state, double h);
  double tolerance_of_x(const State& state, std::size_t i) const;
  double tolerance_of_v(const State& state, std::size_t i) const;
  Outcome too_inaccurate(const detail::LocalError& error, double h);

  ButcherTable table_;
  ExplicitOptions options_;
  LinearSolverFactory backend_;
  detail::ErrorControl errors_;
  mutable detail::Index1Equations equations_;  // mutable: stages of the dense output, when it is asked for
  GuardSet own_;
  // Asked of the end of an attempt before its error is estimated (jumping_rows, where it is on); of an attempt that is
  // accurate; and, last of all, of fixed steps and of those that no size has made succeed.
  detail::GuardList jumps_, guards_, poles_;
  bool projection_counts_ = false;  // as an error
  double hidden_below_ = 0.0;       // [s] below it what the guards have refused could not be seen
  StepMemory memory_;
  // For the guards: size of the last step [s], 0 where there was none, and multipliers at its beginning.
  MemorySlot h_before_, lambda_before_;
  bool estimates_ = false;
  bool plain_ = false;  // q is integrated as plain numbers, by System::rate()

  // Derivatives of x and v at the stages, then at the end, then at the stages of the dense output alone.
  mutable detail::StageRows kx_, kv_;
  std::vector<double> x_;                  // of the stage at work, in the chart at the start of the step
  State now_;                              // that stage; after an attempt the end of the step
  std::vector<double> x_last_, v_last_;    // x and v of the last stage before the end
  std::vector<double> x_taken_, v_taken_;  // what the projection has taken from the end
  // The step just taken, for interpolate(): its start, and r_0, r_1, ... of the dense output.
  double h_taken_ = 0.0, h_dense_ = 0.0;  // h_dense_: of its stages, also behind exchanged()
  State before_;
  mutable detail::StageRows dense_x_, dense_v_;
  mutable bool dense_is_complete_ = false;
  mutable std::vector<double> between_;
  mutable State dense_stage_;
};

}  // namespace catena
