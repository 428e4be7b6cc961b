// Work that is done on a mechanism from outside of its kinetic and potential energy.
#pragma once
#include <cstdint>

namespace catena {

// Since the start of a run [J].
struct Work {
  double forces = 0.0;  // by forces beside their potentials: dampers, friction, torques, controllers
  double drives = 0.0;  // by constraints that move by themselves
  double total() const { return forces + drives; }
};

// Whether the work of a run is known, and so the balance of its energy.
enum class WorkKnown : std::uint8_t {
  yes,
  no_power,       // the system does not state its power (System::power)
  no_multipliers  // drives move, and the stepper computes no multipliers
};

}  // namespace catena
