// How far bodies turn within one step. Beyond half a turn the ends of a step do not say which way a body went: turns that are
// counted by them alone are wrong.
#pragma once
#include <catena/assembly/detail/body_freedoms.hpp>
#include <catena/assembly/parts/body_system.hpp>
#include <catena/driver/sink.hpp>
#include <catena/measure/parts/monitor.hpp>

#include <string>
#include <vector>

namespace catena::detail {

inline constexpr double half_a_turn = 3.141592653589793;

// Turns of systems whose velocities are those of bodies, from the mean of the angular velocities at both ends of a step. The
// rates of quaternions, as discrete_action has them, cannot show more than half a turn.
class TurnMeter final : public Observer {
 public:
  std::string name() const override { return "turns"; }
  void begin(const System& system) override;
  void resume(const System& system, const State& state) override;
  bool observe(const State& state) override;

  const Peak& largest() const { return largest_; }  // [rad], and when
  int block() const { return block_; }              // of the body; -1: none has turned

  // The same of two moving bodies against each other, between which a force or joint counts turns.
  const Peak& largest_between() const { return between_; }
  std::string label_between() const;  // force "spring" (torsion_spring); empty: none

  // The largest component of all velocities and accelerations so far [their units].
  double velocity() const { return velocity_; }
  double acceleration() const { return acceleration_; }

  // For a checkpoint, and back. False: these are not its numbers.
  std::vector<double> memory() const;
  bool remember(const std::vector<double>& memory);

 private:
  struct Counting {
    Model::ElementRef at;
    int number = 0;  // among the constraints, or among the forces
    bool is_force = false;
  };
  void attach(const System& system);
  double fastest(const State& state) const;  // of all bodies [rad/s]
  void look_at_bodies(const State& state, double h);
  void look_between(const State& state, double h);
  double rate_between(const Counting& one, const State& state) const;  // [rad/s]

  const BodyFreedoms* freedoms_ = nullptr;  // of the system; null: its velocities are none of bodies
  const BodySystem* bodies_ = nullptr;
  std::vector<Counting> counting_;
  double velocity_ = 0.0, acceleration_ = 0.0;
  State before_;  // t, q and v of the last state
  double fastest_before_ = 0.0;
  bool any_ = false;
  Peak largest_, between_;  // between_: its constraint is the number in counting_
  int block_ = -1;
};

}  // namespace catena::detail
