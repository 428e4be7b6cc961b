// Which velocity rows contradict one another.
#pragma once
#include <catena/kkt/kkt_solver.hpp>

#include <vector>

namespace catena::detail {

struct Contradiction {
  int constraint = 0;
  double amount = 0.0;  // its largest row at the velocities that violate all rows least [m/s, rad/s]
};

// Where no velocities satisfy all rows at a state: those that remain open, which are a null vector of the transposed
// Jacobian; the widest first. kkt must be attached to the system; its matrix is overwritten.
std::vector<Contradiction> contradicting_velocities(const System& system, KktSolver& kkt, const State& state);

}  // namespace catena::detail
