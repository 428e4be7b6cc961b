// How far bodies go within one step. Beyond half a turn the ends of a step no longer say which way a body went: counted turns
// and states inside the step are wrong, and what depends on the orientation is seen at too few of them.
#pragma once
#include <catena/assembly/detail/body_freedoms.hpp>
#include <catena/driver/sink.hpp>
#include <catena/measure/parts/monitor.hpp>

#include <string>
#include <vector>

namespace catena::detail {

// Turns of systems whose velocities are those of bodies, from the angular velocity at the end of the step. The rates of
// quaternions, as discrete_action has them, cannot show more than half a turn.
class TurnMeter final : public Observer {
 public:
  std::string name() const override { return "turns"; }
  void begin(const System& system) override;
  void resume(const System& system, const State& state) override;
  bool observe(const State& state) override;

  const Peak& largest() const { return largest_; }  // [rad], and when
  int block() const { return block_; }              // of the body; -1: none has turned

  // The largest component of all velocities and accelerations so far [their units].
  double velocity() const { return velocity_; }
  double acceleration() const { return acceleration_; }

  // For a checkpoint, and back. False: these are not its numbers.
  std::vector<double> memory() const;
  bool remember(const std::vector<double>& memory);

 private:
  void attach(const System& system);

  const BodyFreedoms* freedoms_ = nullptr;  // of the system; null: its velocities are none of bodies
  double velocity_ = 0.0, acceleration_ = 0.0;
  double t_ = 0.0;  // [s] of the last state
  bool any_ = false;
  Peak largest_;
  int block_ = -1;
};

}  // namespace catena::detail
