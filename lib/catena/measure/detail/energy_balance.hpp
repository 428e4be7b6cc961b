// Whether a run keeps its balance of energy: kinetic and potential energy, minus the work of drives and of all that has no
// potential, stay what they were. What the method and its steps make of the motion is an error here, however smooth it
// looks: an oscillation that the steps do not resolve is damped or fed, and the run ends without a failure.
#pragma once
#include <catena/driver/sink.hpp>
#include <catena/measure/parts/monitor.hpp>

#include <string>
#include <vector>

namespace catena::detail {

// Energy and work are the monitor's. Not assessed are systems in their own coordinates that do not state their power
// (System::power), and drives where the stepper computes no multipliers.
class EnergyBalance final : public Observer {
 public:
  // monitor: of the same run; it observes before this one.
  explicit EnergyBalance(const Monitor& monitor) : monitor_(monitor) {}

  std::string name() const override { return "energy balance"; }
  void begin(const System& system) override;
  void resume(const System& system, const State& state) override;
  // False: the energy has grown by ten times all that the motion exchanged while the balance held, or all that there was: the
  // energies at the start, and what potentials and forces have given since.
  bool observe(const State& state) override;
  Outcome failure() const override;

  // The largest error of the balance [J], and when: what is beyond the doubt on the work (WorkMeter::doubt()).
  const Peak& error() const { return error_; }
  // The energies exchanged: the largest kinetic energy, change of the potential, and work done in either direction [J]; no more
  // than there_was().
  double exchanged() const;
  double initial() const { return monitor_.result().energy_initial.total(); }  // energy at the start [J]
  double nothing() const;                          // an energy that no motion can be seen from [J]
  bool has_forces() const { return has_forces_; }  // of bodies, beside gravity
  // Whether the error is beyond a tenth of them.
  bool broken() const;

  // For a checkpoint, and back. False: these are not its numbers.
  std::vector<double> memory() const;
  bool remember(const std::vector<double>& memory);

 private:
  void attach(const System& system);
  // The energies at the start, the largest fall of the potential, and what forces and drives have supplied [J].
  double there_was() const;

  const Monitor& monitor_;
  const System* system_ = nullptr;
  bool has_forces_ = false;
  double rest_ = 0.0;  // kinetic energy of bodies that move by a billionth of their sizes a second [J]
  double mass_ = 0.0,
         rest_on_way_ = 0.0;  // of all bodies [kg]; the same of roundoff along sliding joints [J]
  // What a checkpoint keeps.
  double exchanged_ = 0.0, held_ = 0.0;  // [J] held_: as long as the balance held
  Peak error_;
  double states_ = 0.0;    // whose doubt is known
  double released_ = 0.0;  // [J] the largest fall of the potential
  int fastest_ = -1;       // block with the largest velocity, where the run ends
};

}  // namespace catena::detail
