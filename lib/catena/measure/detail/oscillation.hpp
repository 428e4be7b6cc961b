// How fast the forces of a system make its bodies oscillate.
#pragma once
#include <catena/assembly/parts/body_system.hpp>

#include <string>

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

// The force with the largest stiffness of its own on a body, for its inertia.
struct StiffForce {
  std::string name;   // 'force "spring" (spring_damper)'; empty: no force on the body has a stiffness
  double rate = 0.0;  // sqrt(|k| / m) of this force alone [rad/s]
};

// block: of a moving body, its place among them. Makes the layout of the elements anew: for explanations.
StiffForce stiffest_force(const BodySystem& system, const State& state, int block);

}  // namespace catena::detail
