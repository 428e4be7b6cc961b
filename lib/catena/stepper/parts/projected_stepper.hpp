// What all steppers share whose steps end on the constraints with the accelerations and multipliers of the index-1
// system there, and that choose their steps by an estimate of their error: the explicit Runge-Kutta methods
// (explicit_stepper.hpp), and Radau IIA. A method adds the attempt at a step and its error.
#pragma once
#include <catena/stepper/detail/error_control.hpp>
#include <catena/stepper/detail/index_1.hpp>
#include <catena/stepper/detail/multiplier_errors.hpp>
#include <catena/stepper/guards/detail/guard_list.hpp>
#include <catena/stepper/parts/step_memory.hpp>

#include <optional>

namespace catena {

class ProjectedStepper : public Stepper {
 public:
  const Traits& traits() const override { return traits_; }
  bool continues(const State& state) const override { return memory_.fits(state); }
  double proposed_step(const State& state) const override;
  void estimate_errors(bool wanted) override { estimates_ = wanted; }

 protected:
  // first_step: [s] the first one tried; 0: found from two derivatives.
  ProjectedStepper(const StepController& controller, const detail::ErrorTolerances& tolerances,
                   double first_step)
      : errors_(controller, tolerances),
        first_step_(first_step),
        multipliers_(tolerances.kinds, tolerances.rtol_position) {}

  bool adaptive() const { return traits_.chooses_step; }

  // The guards of a method: asked of the end of an attempt before its error is estimated, and of an attempt that is accurate.
  struct Guards {
    const GuardOptions& options;
    GuardSet at_once = {}, accurate = {};
  };
  // plain: q is integrated as plain numbers.
  Outcome attach_index_1(const System& system, const LinearSolverFactory& backend, bool plain,
                         const Guards& guards);
  // When all slots of the memory are there: allocates what steps copy states into.
  void allocate_states();

  // After a restart steps continue as they were: a jump of a force by a controller is no reason to find the first one
  // again.
  Outcome begin(State& state, double h, bool first) override;
  // With step control h is the largest step wanted: parts of it are taken where the error asks for it. A step
  // below the roundoff of t: Status::step_too_small, with the component of the largest error.
  Outcome take_step(State& state, double h) override;
  // a and lambda of the new coordinates; the step taken, its size and its end stay, for interpolate() and for the guards.
  Outcome exchanged(State& state, double h) override;

  // The method. Its end is on the constraints in now_, with a and lambda.
  virtual KktReport attempt(const State& state, double h) = 0;
  virtual detail::LocalError local_error(const State& state, double h) = 0;  // in tolerances
  virtual std::size_t error_components() const = 0;  // how many numbers local_error() has added
  // Adds the errors that local_error() has found to the end of the attempt, q and v.
  virtual void add_error(State& end) const = 0;
  // Why an attempt with such an error is refused.
  virtual Outcome too_inaccurate(const detail::LocalError& error, double h);
  // The error by which the next step is chosen, behind keep(): of a method whose order changes that at the new one.
  virtual double error_for_next(double error) { return error; }
  virtual StepError step_error(const State& state, double h) = 0;  // see Stepper::estimate_errors()
  // The attempt is accepted: what interpolate() needs, and what is remembered. The state is still that of its beginning.
  virtual void keep(State& state, double h) = 0;
  virtual std::optional<ExplicitStages> stages() const { return {}; }
  // All of it is written anew before it is used.
  virtual GuardWorkspace guard_workspace() = 0;

  bool has_step() const { return h_taken_ != 0.0; }  // for interpolate()

  Traits traits_;
  detail::ErrorControl errors_;
  mutable detail::Index1Equations equations_;  // mutable: stages of a dense output, when it is asked for
  StepMemory memory_;
  // Size of the last step [s], 0 where there was none, and multipliers at its beginning.
  MemorySlot h_before_, lambda_before_;
  bool plain_ = false;
  State now_;     // of the stage at work; after an attempt the end of the step
  State before_;  // the beginning of the step just taken

 private:
  KktReport make_consistent(State& state);
  double first_step(const State& state, double longest);
  void accept(State& state, double h);
  Outcome assess(detail::GuardList& guards, Outcome outcome, const State& state, double h);
  Outcome watch_poles(Outcome outcome, const State& state, double h);

  detail::LocalError multiplier_error(const State& state, double h);

  double first_step_;
  detail::MultiplierErrors multipliers_;
  State probe_;  // the end with its error, where errors of multipliers count
  // Asked of the end of an attempt before its error is estimated; of an attempt that is accurate; and, last of all, of fixed
  // steps and of those that no size has made succeed.
  detail::GuardList jumps_, guards_, poles_;
  bool shorter_fails_ = false;  // in the step in hand, as a guard has found
  double h_taken_ = 0.0;
  bool estimates_ = false;
};

}  // namespace catena
