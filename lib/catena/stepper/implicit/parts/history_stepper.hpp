// What all implicit steppers share that carry a history in State::memory: consistent start, steps and their failures,
// restart after a change of discrete values, resume, redundant rows, guards, statistics, and the step in between its
// ends. A method adds its equations: the engine of tables (implicit_stepper.hpp), alpha-RATTLE.
#pragma once
#include <catena/kkt/consistent.hpp>
#include <catena/stepper/detail/error_control.hpp>
#include <catena/stepper/detail/hermite.hpp>
#include <catena/stepper/detail/initial_point.hpp>
#include <catena/stepper/detail/multiplier_errors.hpp>
#include <catena/stepper/detail/newton_iteration.hpp>
#include <catena/stepper/guards/detail/guard_list.hpp>
#include <catena/stepper/parts/row_scaling.hpp>
#include <catena/stepper/parts/step_memory.hpp>

#include <cassert>
#include <optional>
#include <vector>

namespace catena {

class HistoryStepper : public Stepper {
 public:
  bool continues(const State& state) const override { return memory_.fits(state); }
  double proposed_step(const State& state) const override;
  void estimate_errors(bool wanted) override { estimates_ = wanted; }
  bool trace(NewtonTrace* to) override;
  void interpolate(double theta, double* q, double* v) const override;
  const StepMemory& memory() const { return memory_; }

 protected:
  // How rows are scaled and held, and when Newton's iteration ends.
  struct Numerics {
    double proximal = 1e-12;
    RowScaling scaling = RowScaling::natural;
    double newton_tolerance = 1e-10;
    bool compliant =
        true;  // a compliance holds rows that are redundant from the start; else the proximal term alone
  };
  explicit HistoryStepper(const Numerics& numerics) : numerics_(numerics) {}

  // From now on steps are chosen by the local error that attempt() notes; before attach(). tolerance [1/s]: of an
  // increment per second, in characteristic sizes; kinds: lengths and angles per second, in place of that; order: of q;
  // max_step [s], 0: no limit.
  void control_errors(double tolerance, const KindTolerances& kinds, int order, double max_step);
  bool controlled() const { return control_.has_value(); }
  bool estimates() const { return estimates_ || controlled(); }

  // Symbolic analysis, and the slots that all have: steps, h, contraction, compliance. Statistics begin at zero.
  // droppable: see NewtonIteration::attach().
  Outcome attach_iteration(const System& system, const KktOptions& kkt, std::vector<detail::RowKind> rows,
                           bool droppable = true);

  // With error control the first step is at most h, and shorter where the history says so.
  Outcome begin(State& state, double h, bool first) override;
  Outcome take_step(State& state, double h) override;
  Outcome exchanged(State& state, double h) override;

  // The method, in the order of a run.

  // The arrays of a step; after the start, whose own arrays are the peak of memory.
  virtual void make_work_arrays(const State& state) = 0;
  // The state is consistent, and its memory holds the slots of attach_iteration(): all others. outcome: may get a
  // remark, or fail.
  virtual void begin_history(State& state, double h, ConsistentValues& consistent, Outcome& outcome) = 0;
  // The matrix without what is of order h. Its rows and multipliers have factors of their own, and the proximal term is
  // quadratic in C.
  virtual Linearization mass_and_rows(double h) const = 0;
  // The compliance of the rows has changed; the matrix of the initial state is in newton_.kkt().
  virtual void scaled(const Point& /*initial*/, double /*compliance*/) {}
  // start() has succeeded.
  virtual void started(State& /*state*/, double /*h*/) {}
  // At a started state, what the error of a step of size h would be, in tolerances. 0: nothing is known.
  virtual double error_at_start(const State& /*state*/, double /*h*/) { return 0.0; }
  // The iterate at the end of a step, with what the guards say of it. Where estimates(): note_error(), and where
  // that is too_large(), too_inaccurate() in place of what the guards say.
  virtual Outcome attempt(const State& state, double h) = 0;
  // Of a method that calls control_errors(): t, q, v, v' and multipliers of the end that the attempt has found.
  virtual void copy_end(double /*t*/, State& /*end*/) const {
    assert(false && "a method that controls errors of multipliers has none to show");
  }
  // The attempt is accepted: its history goes into the memory of the state, and take_end() is called.
  virtual void accept(State& state, double h) = 0;
  // The attempt failed: what is in the matrices is of no use to the next one.
  virtual void rejected() {}

  // The end of a step of size h. The arrays stay as they are until the next attempt, for interpolate(); q is exchanged
  // with that of the state. Where an error was asked for and attempt() noted none, a method of order 2 gets that of
  // increment_error() (detail/hermite.hpp).
  struct End {
    std::vector<double>& q;
    const std::vector<double>&xi, &v, &a;
  };
  void take_end(State& state, double h, const End& end);
  StepAttempt attempt_of(const State& state, const Point& end, double h, const double* lambda_before) const;

  // Notes the error of increment_error() (detail/hermite.hpp), of a method of order 1 or 2. Overwrites the arrays of the step
  // before.
  struct Ends {
    const std::vector<double>&xi, &v, &a;
  };
  void estimate_error_by_ends(const State& state, double h, const Ends& ends);
  // Keeps the error of the increment [v_size] of a step of size h for Outcome::error, and returns it in tolerances.
  double note_error(const double* increment, double h);
  bool too_large() const { return controlled() && !(in_tolerances_ <= 1.0); }
  Outcome too_inaccurate();

  // Whether the last call of step() has succeeded, and nothing was exchanged.
  bool has_step() const { return taken_.h != 0.0; }
  bool first(const State& state) const { return steps_.value(state) == 0.0; }
  double h_before(const State& state) const { return h_.value(state); }
  // Whether rows are redundant from the start, so that their multipliers are open.
  bool held() const { return compliance_ > numerics_.proximal; }
  // Sets the rows' compliance, or where none is needed their proximal term, by the matrix now in kkt.
  void hold_rows(KktSolver& kkt, double compliance) const;

  detail::NewtonIteration newton_;
  detail::GuardList guards_;
  StepMemory memory_;
  MemorySlot contraction_;
  std::vector<double> q_before_, v_before_, a_before_;  // of the step just taken
  mutable std::vector<double> rate_;                    // [v_size] overwritten by interpolate()
  static constexpr double none = -1.0;
  double compliance_ = none;  // that the matrix holds

 private:
  // first: positions are held to start_position_tolerance; later on index 2 and 1 let them drift.
  Outcome begin_steps_of(State& state, double h, bool first);
  void allocate(const State& state);
  Outcome make_consistent(State& state, double h, bool first);
  void set_compliance(double epsilon, double h);
  Outcome reject(Outcome outcome);
  Outcome assess_multipliers(Outcome outcome, const State& state, double h);
  void give_up();

  Numerics numerics_;
  detail::InitialPoint initial_;  // where the rows are scaled
  MemorySlot steps_, h_, compliance_slot_;
  double scaled_for_ = 0.0;   // step size for which the rows are scaled
  detail::StepEnds taken_{};  // h = 0: there is no step to interpolate
  std::optional<detail::ErrorControl> control_;
  std::optional<detail::MultiplierErrors> multipliers_;  // with control
  State end_;                                            // where their errors count
  int order_ = 2;                                        // of q, with control
  bool estimates_ = false;
  StepError error_;             // of the attempt
  double in_tolerances_ = 0.0;  // root mean square, with control
};

}  // namespace catena
