// States inside a step, as complete as those at its ends: for dense output and events.
#pragma once
#include <catena/kkt/kkt_solver.hpp>
#include <catena/stepper/stepper.hpp>

namespace catena {

class StateBetween {
 public:
  explicit StateBetween(const System& system) : system_(system) {}

  // The state at theta of the step of h that led to state: q and v from the stepper's interpolant, moved onto the
  // constraints; a and lambda from the index-1 system there, or those of state where it cannot be solved. Its
  // memory is empty. Valid until the next call.
  const State& at(double theta, const Stepper& stepper, const State& state, double h);
  // For others to write in.
  State& scratch(const State& sizes);

 private:
  const System& system_;
  KktSolver kkt_;
  bool attached_ = false, usable_ = false;
  State state_;
};

}  // namespace catena
