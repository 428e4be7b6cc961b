// Integrates what the forces of a run supply beside their potentials, cheaply: for the balance of energy, which has to know
// it to a few per cent. StepIntegrals has the quantity forces/work to the order of the method.
#pragma once
#include <catena/measure/parts/instant.hpp>

#include <memory>
#include <vector>

namespace catena::detail {

// The trapezoidal rule over accepted states, of the forces that may supply power. Which these are is measured at the initial
// positions with three velocities: the power of a spring is roundoff of its two parts. A force that does nothing there, a
// contact that is open say, may supply some later.
class PowerMeter {
 public:
  // A system of bodies, which outlives it.
  explicit PowerMeter(const System& system);

  // After each accepted state, the start included. False: the work up to this state is not known, because many forces
  // are looked at at every few states only, or because every second power is missing yet.
  bool add(const State& state);

  double work() const { return work_; }  // [J] supplied
  // What is not known of the work [J]: where the powers of every state are taken, how far the rule and the same rule with
  // every second power are apart, over all pairs of intervals; else all of it, for they may oscillate between two of them.
  double doubt() const { return every_ > 1 ? turnover_ : doubt_; }
  double work_of_size() const { return turnover_; }  // [J] the integral of the absolute powers

  static constexpr std::size_t numbers = 9;
  void write(double* memory) const;
  void read(const double* memory);

 private:
  std::unique_ptr<const MeasuredSystem> measured_;
  Instant now_;
  std::vector<int> suppliers_;
  long every_ = 1;  // states from one power to the next
  double work_ = 0.0, turnover_ = 0.0, t_ = 0.0, power_ = 0.0;
  double states_ = 0.0;
  double doubt_ = 0.0, t_pair_ = 0.0, power_pair_ = 0.0, work_pair_ = 0.0;  // where the last pair has ended
};

}  // namespace catena::detail
