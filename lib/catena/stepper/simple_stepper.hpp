// A stepper in one function: derive from this, name the traits, write advance(). Set-up, consistent starts, failures
// that leave the state untouched, counters and interpolation are taken care of. For first versions of a method and for
// short ones; a fast stepper with a Newton iteration of its own derives from Stepper. See docs/howto/add_a_stepper.md.
#pragma once
#include <catena/kkt/consistent.hpp>
#include <catena/stepper/stepper.hpp>

#include <optional>

namespace catena {

class SimpleStepper : public Stepper {
 public:
  std::string refuses(const System&) const override { return {}; }
  // Cubic between the ends, by q, v and a.
  void interpolate(double theta, double* q, double* v) const final;

 protected:
  // Takes s over a step of size h. On entry s.q and s.v satisfy the constraints as the traits say, and s.a, s.lambda
  // are those of the index-1 system or what the last step left. Sets s.t += h, q, v, a and lambda; a status other than ok
  // fails the step, and another s.t ends the run with the name of the stepper.
  virtual KktReport advance(State& s, double h) = 0;

  // What a method is made of, all at s.t, s.q, s.v:
  // q <- q exp(h v)
  void move(State& s, const std::vector<double>& v, double h);
  // q onto the position constraints, v onto those of velocities, v' and lambda of the index-1 system.
  KktReport close_positions(State& s);
  KktReport close_velocities(State& s);
  KktReport find_accelerations(State& s);
  // All three, in this order, to the first that fails.
  KktReport close(State& s);

  const System& system() const { return *system_; }

 private:
  Outcome set_up(const System& system) final;
  Outcome begin(State& state, double h, bool first) final;
  Outcome take_step(State& state, double h) final;
  Outcome exchanged(State& state, double h) final;
  KktReport finite(const State& s) const;

  KktSolver kkt_;
  std::optional<ConsistentValues> consistent_;
  std::vector<double> discrete_, increment_;
  State next_, before_;
  double h_taken_ = 0.0;
  mutable std::vector<double> between_, change_;
};

}  // namespace catena
