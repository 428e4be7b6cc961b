// Integrates what the forces of a run supply beside their potentials, and drives, cheaply: for the balance of energy, which
// has to know it to a few per cent. StepIntegrals has forces/work and drives/work to the order of the method.
#pragma once
#include <catena/measure/detail/body_rows.hpp>
#include <catena/measure/detail/drive_meter.hpp>

#include <optional>
#include <vector>

namespace catena::detail {

// The trapezoidal rule over accepted states, of the forces and constraints that may supply power, or of System::power().
// Which these are is measured at the initial positions with three velocities: the power of a spring is roundoff of its two
// parts. A force that does nothing there, a contact that is open say, may supply some later.
class PowerMeter {
 public:
  // A system of bodies, or one that states its power; it outlives this.
  explicit PowerMeter(const System& system);

  // After each accepted state, the start included. False: the work up to this state is not known, because many forces
  // are looked at at every few states only, or because every second power is missing yet.
  bool add(const State& state);

  double work() const { return work_; }  // [J] supplied
  // What is not known of the work [J]: where the powers of every state are taken, how far the rule and the same rule with
  // every second power are apart, over all pairs of intervals; else all of it, for they may oscillate between two of them.
  double doubt() const { return every_ > 1 ? turnover_ : doubt_; }
  double work_of_size() const { return turnover_; }  // [J] the integral of the absolute powers
  // False: drives have moved, and all multipliers were zero: the stepper computes none, and this work is not known.
  bool is_complete() const { return !moved_ || multiplied_; }

  static constexpr std::size_t numbers = 11;
  void write(double* memory) const;
  void read(const double* memory);

 private:
  double power_of(int force, const State& state, double* size = nullptr) const;

  const System& system_;
  std::optional<BodyRows> bodies_;    // of a system of bodies
  std::optional<DriveMeter> drives_;  // of constraints that may move
  std::vector<int> suppliers_;
  std::vector<double> unit_q_, drive_power_;
  long every_ = 1;  // states from one power to the next
  double work_ = 0.0, turnover_ = 0.0, t_ = 0.0, power_ = 0.0;
  double states_ = 0.0;
  bool moved_ = false, multiplied_ = false;
  double doubt_ = 0.0, t_pair_ = 0.0, power_pair_ = 0.0, work_pair_ = 0.0;  // where the last pair has ended
};

}  // namespace catena::detail
