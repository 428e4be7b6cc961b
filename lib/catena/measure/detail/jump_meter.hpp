// Forces and joints that have jumped between two accepted states: a bushing that turns past half a turn, a step over a bump in
// a table. No step fails there, and the balance of energy may hold, but the motion behind it is not the one of the mechanism
// that was meant.
#pragma once
#include <catena/assembly/parts/body_system.hpp>
#include <catena/driver/sink.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace catena::detail {

class JumpMeter final : public Observer {
 public:
  std::string name() const override { return "jumps"; }
  void begin(const System& system) override;
  void resume(const System& system, const State& state) override;
  bool observe(const State& state) override;

  bool any() const { return first_ >= 0 && static_cast<std::size_t>(first_) < watched_.size(); }
  double t() const { return t_; }  // [s] of the first jump
  std::string label() const;       // force "mount" (bushing)
  std::string what() const;        // a clause: its markers have turned past half a turn

  // For a checkpoint, and back. False: these are not its numbers.
  std::vector<double> memory() const;
  bool remember(const std::vector<double>& memory);

 private:
  struct Watched {
    Model::ElementRef at;
    int number = 0;  // among the constraints, or among the forces
    bool is_force = false;
    BodyFrame<double> before[max_bodies_per_element] = {};
  };
  void attach(const System& system);
  const ElementPool& pool_of(const Watched& one) const;

  const BodySystem* bodies_ = nullptr;
  std::vector<Watched> watched_;
  bool has_before_ = false;
  int first_ = -1;  // in watched_
  double t_ = 0.0;
};

}  // namespace catena::detail
