// How fast the forces of a system make its bodies oscillate.
#pragma once
#include <catena/system/system.hpp>

namespace catena::detail {

// sqrt(|k| / m) with the stiffness k of all forces on a body along one of its velocity components and its inertia m there;
// the joints count as open. Of the largest in the system.
struct Oscillation {
  double rate = 0.0;  // [rad/s], or [1/s] where the stiffness is negative: what is displaced runs away
  bool runs_away = false;
  int block = -1;  // velocity block; -1: no force has a stiffness
};

// Allocates a matrix of the system: for explanations, not for steps.
Oscillation fastest_oscillation(const System& system, const State& state);

}  // namespace catena::detail
