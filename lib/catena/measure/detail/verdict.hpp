// What is to be said against the result of a run that has not failed, from what is measured of every run.
#pragma once
#include <catena/driver/run.hpp>
#include <catena/measure/detail/energy_balance.hpp>
#include <catena/measure/detail/jump_meter.hpp>
#include <catena/measure/detail/oscillation.hpp>
#include <catena/measure/detail/turn_meter.hpp>

#include <string>
#include <vector>

namespace catena::detail {

// An observer that looks at every accepted state, after the monitor of the same run, and ends a run whose energy grows
// beyond all sense.
class RunVerdict final : public Observer {
 public:
  explicit RunVerdict(const Monitor& monitor) : monitor_(monitor), energy_(monitor) {}

  std::string name() const override { return "verdict"; }
  void begin(const System& system) override;
  void resume(const System& system, const State& state) override;
  bool observe(const State& state) override;
  Outcome failure() const override { return energy_.failure(); }

  // Of a run that has ended: state is its last, statistics those of the whole run, traits those of its stepper.
  std::vector<Remark> remarks(const State& state, const RunResult& result,
                              const StepperStatistics& statistics, const Traits& traits) const;

  // For a checkpoint, and back. False: these are not its numbers.
  std::vector<double> memory() const;
  bool remember(const std::vector<double>& memory);

 private:
  Oscillation fastest(const State& last, double step) const;

  const Monitor& monitor_;
  const System* system_ = nullptr;  // since begin() or resume()
  EnergyBalance energy_;
  TurnMeter turns_;
  JumpMeter jumps_;
  // The state where the balance was first broken, and where its error had doubled since; a checkpoint does not keep it.
  State broken_at_;
  double error_there_ = 0.0;
};

}  // namespace catena::detail
