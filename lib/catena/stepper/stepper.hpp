// The contract of every time stepper.
#pragma once
#include <catena/math/option.hpp>
#include <catena/system/system.hpp>

#include <string>
#include <utility>
#include <vector>

namespace catena {

// Which form of a model a stepper works on.
enum class Coordinates : std::uint8_t {
  any,        // whatever the System contract offers through evaluate() and retract()
  lagrangian  // plain coordinates with a Lagrangian; bodies in seven coordinates (x, unit quaternion)
};

// What the theory promises of a stepper; tests and listings hold it to that.
struct Traits {
  std::string name = {};
  std::string summary = {};  // one line
  Coordinates coordinates = Coordinates::any;
  int order_q = 0, order_v = 0, order_lambda = 0;
  double lambda_at = 1.0;  // State::lambda after a step from t_n belongs to t_n + lambda_at h
  bool position_residual = false, velocity_residual = false, acceleration_residual = false;  // vanish
  bool symmetric = false, reversible = false, symplectic = false;
  bool variable_step = false;         // h may change from step to step without loss of order
  bool chooses_step = false;          // controls its error: the driver follows h_next instead of its grid
  bool copyable_memory = true;        // State alone continues the run
  bool velocity_constraints = false;  // takes velocity-level rows
  bool reaction_forces = false;       // takes forces that depend on multipliers (friction of joints)
  // The way of a body within a step is known beyond half a turn, or a longer turn is cut: states inside steps are right.
  bool far_turns = false;
};

// What one guard has done since attach() (lib/catena/stepper/guards/).
struct GuardCount {
  std::string name;      // of its option
  bool reports = false;  // it counts only; else attempts failed
  long count = 0;        // of attempts that it refused, or would have refused
  double first_t = 0.0;  // [s] beginning of the first of them
  Culprit first;         // and why

  void add(double t, const Culprit& why) {
    if (count++ > 0) return;
    first_t = t;
    first = why;
  }
};

// Counters and seconds since attach().
struct StepperStatistics {
  long steps = 0, rejected_steps = 0;
  // Parts of the rejected steps: a local error above its tolerance; Newton's iteration, its matrix or its numbers. The
  // rest: guards, rates that did not converge, coordinates that could not be exchanged.
  long rejected_by_error = 0, rejected_by_newton = 0;
  long newton_iterations = 0, evaluations = 0, factorizations = 0, solves = 0;
  long refinements = 0;
  // Safeguards (design 4.2): what was detected, and what helped short of cutting the step.
  long indefinite_factorizations = 0;    // wrong inertia, or a vanished pivot
  long growing_factorizations = 0;       // pivots of the right signs that have lost half of the digits
  long stagnations = 0;                  // out of iterations, Newton continued with the pivoting fallback
  long dropped_geometric_stiffness = 0;  // matrices made without the geometric stiffness of some bodies
  long fallback_factorizations = 0;      // by the pivoting fallback, which allocates (KktSolver)
  long restarts = 0;                     // of a method with a history: begun anew at its lowest order
  // Largest part of multipliers that changed its sign from step to step, relative to the largest of them, where steps
  // are so small that roundoff of positions over h^2 can be seen (StepResolution); 0: not looked at.
  double multiplier_noise = 0.0;
  double seconds_evaluate = 0.0, seconds_factorize = 0.0, seconds_solve = 0.0, seconds_start = 0.0;
  std::vector<GuardCount> guards;  // those that are not off
};

// What a method leaves out in one step, as it estimates it.
struct StepError {
  double largest =
      -1.0;  // [1] of a component of q, in its characteristic size (SystemLayout::scale); -1: no estimate
  int component = -1;  // of the velocities, whose increment it is
  bool known() const { return largest >= 0.0; }
};

struct Outcome {
  Status status = Status::ok;
  double h_taken = 0.0;  // [s] 0 on failure
  double h_next = 0.0;   // [s] advice for the next step; 0: none
  Culprit culprit;       // on failure: the worst residual or pivot and its owner
  StepError error{};     // where it was asked for: estimate_errors()
};

inline Outcome failure(Status status, Culprit culprit) {
  Outcome outcome;
  outcome.status = status;
  outcome.culprit = std::move(culprit);
  return outcome;
}

// Largest position residual that start() of a stepper accepts, of the size of the bodies at the joint (at most 1 m) and
// beside roundoff. Ten times what Model::check_initial_positions() lets pass, so that no model that was built is
// refused here: sums of rounded numbers in another order, in seven coordinates say, differ by far less.
constexpr double start_position_tolerance = 1e-8;

class StepLinearization;  // implicit/parts/step_linearization.hpp
struct NewtonTrace;       // parts/newton_trace.hpp

class Stepper {
 public:
  virtual ~Stepper() = default;

  virtual const Traits& traits() const = 0;  // may depend on the options
  // Empty, or the sentence that says why this system is refused.
  virtual std::string refuses(const System& system) const = 0;
  // The same with what the traits say.
  std::string refusal(const System& system) const;

  // Attaches a system: symbolic analysis and work arrays. The system must outlive the stepper's use of it.
  // A run is attach, start, step, step, ...; resuming one from a saved State is attach, step, ....
  // The one gate: what refusal() names, options out of range above all, never comes to a step. A refusal has the
  // status unsupported and its sentence in Culprit::name.
  Outcome attach(const System& system);

  // Makes the state ready: consistent velocities, accelerations, multipliers, and the stepper's memory.
  // state holds q and v at state.t; h [s] is the size of the first step. Status inconsistent_start where that fails, and
  // the state is untouched.
  Outcome start(State& state, double h) { return begin_from(state, h, true); }

  // The same from a state that this stepper has brought here, after somebody has changed its discrete values or
  // its velocities: a controller that sampled, an impact. h: size of the next step.
  Outcome restart(State& state, double h) { return begin_from(state, h, false); }

  // Whether State::memory has the size of this stepper's, attached to the state's system: one that a stepper with the same
  // options has left.
  virtual bool continues(const State& /*state*/) const { return true; }

  // One step of size h [s] from a started state: take_step(), then what the system makes of its discrete values
  // (System::update_discrete), which no method has to think of. On failure the state is untouched. A stepper that
  // chooses its step (Traits::chooses_step) may take less than h, never more. The steppers of the library allocate nothing
  // here, but for their first steps, after a change of discrete values, for the pivoting fallback, where rows are suspected
  // to become dependent and the back end reports no pivots (all but ldl), for the names of culprits where a matrix is not
  // what it should be, and where a step fails.
  Outcome step(State& state, double h);

  // The size of the next step that State::memory advises; 0: no advice.
  virtual double proposed_step(const State& state) const {
    (void)state;
    return 0.0;
  }

  // From now on step() estimates the local error of each step into Outcome::error, where the method has an estimate: all of
  // the library but rattle of order 4 and more. It costs table methods one evaluation and one solve a step, others less.
  // The steps keep their bits.
  virtual void estimate_errors(bool /*wanted*/) {}

  // The derivative of the step just taken, which ended in `end`, by the state that it began in, forward and transposed.
  // Only while the last call of step() is one that succeeded. Status unsupported, with the reason in Culprit::name: the
  // method has none, or none of this step.
  virtual Outcome linearize_step(const State& end, StepLinearization& derivative);

  // From now on the iterations of step() are written to `to`, which begins empty; null: no longer. The steps keep their bits,
  // and the statistics count what the trace computes. False: the method has no iteration of Newton that can be traced.
  virtual bool trace(NewtonTrace* /*to*/) { return false; }

  // q [q_size] and v [v_size] at t_n + theta h of the step just taken, 0 <= theta <= 1. Only while the last call of
  // step() is one that succeeded: a failed attempt leaves nothing to interpolate.
  virtual void interpolate(double theta, double* q, double* v) const = 0;

  const StepperStatistics& statistics() const { return statistics_; }  // since attach()

 protected:
  // attach() of the method itself, where refuses() has nothing to say. The statistics are zero.
  virtual Outcome set_up(const System& system) = 0;
  // start() of the method itself; first = false: restart(). On failure the state may be anything. A remark about a start
  // that succeeds is its culprit.
  virtual Outcome begin(State& state, double h, bool first) = 0;
  // step() of the method itself. Counts the attempts that failed; step() counts those that did not.
  virtual Outcome take_step(State& state, double h) = 0;
  // The system has changed discrete values at the end of a step, and q and v with them or not: what State::memory and
  // the stepper keep of derivatives belongs to others. h [s]: the size of the step. A failure fails the step.
  virtual Outcome exchanged(State& state, double h) { return begin(state, h, false); }

  const System* system_ = nullptr;  // since attach()
  StepperStatistics statistics_;

 private:
  Outcome begin_from(State& state, double h, bool first);

  State before_step_;  // where the discrete values may change: for the way back
};

}  // namespace catena
