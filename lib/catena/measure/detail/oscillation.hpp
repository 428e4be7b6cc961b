// How fast the forces of a system make its bodies oscillate.
#pragma once
#include <catena/system/system.hpp>

#include <string>

namespace catena::detail {

// sqrt(|k| / m) with the stiffness k of all forces on a body along one of its velocity components and its inertia m there;
// the joints count as open. Of the largest in the system.
struct Oscillation {
  double rate = 0.0;  // [rad/s], or [1/s] where the stiffness is negative: what is displaced runs away
  bool runs_away = false;
  int block = -1;  // velocity block; -1: no force has a stiffness
  State at = {};   // the state that was looked at; empty: the initial one
  // Radians within a step of this size from which the phase of a method of order 2 is off by a tenth and more.
  bool unresolved_by(double h) const { return block >= 0 && h * rate > 1.0; }
};

// Allocates a matrix of the system: for explanations, not for steps.
Oscillation fastest_oscillation(const System& system, const State& state);

// The force with the largest stiffness of its own on a body, for its inertia.
struct StiffForce {
  std::string name;   // 'force "spring" (spring_damper)'; empty: no force on the body has a stiffness
  double rate = 0.0;  // sqrt(|k| / m) of this force alone, initially or at that state [rad/s]
};
// On the body of an Oscillation.
StiffForce stiffest_force(const System& system, const Oscillation& fastest);

// What the forces do to that body within steps of size h, with the stiffest of them and a step that resolves it: 'body "hip"
// can oscillate at 994 rad/s on spring, 9.9 within a step; h^2 k/m is 98.1 at force "spring" (spring_damper): take steps
// below 0.0005 s'.
std::string to_text(const System& system, const Oscillation& fastest, double h);

}  // namespace catena::detail
