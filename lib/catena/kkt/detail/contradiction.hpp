// Which rows contradict one another.
#pragma once
#include <catena/kkt/kkt_solver.hpp>

#include <optional>
#include <vector>

namespace catena::detail {

struct Contradiction {
  int constraint = 0;
  double amount =
      0.0;  // its largest row at the velocities [m/s, rad/s] or positions [m, rad] that violate all rows least
};

// Where no velocities satisfy all rows at a state: those that remain open, which are a null vector of the transposed
// Jacobian; the widest first. kkt must be attached to the system; its matrix is overwritten.
std::vector<Contradiction> contradicting_velocities(const System& system, KktSolver& kkt, const State& state);

// Where no positions near those of a state satisfy all rows to roundoff: the row that is open most, beside the numbers that it
// sees, at the nearest ones. So are overconstrained loops whose dimensions are rounded.
std::optional<Contradiction> contradicting_positions(const System& system, const State& state);

// The same beside the state, after a motion that its rows allow and that moves or turns a body by `way` of its size: a loop
// whose dimensions are rounded can fit where it was assembled, and nowhere else. Nothing where half of the way leaves the rows
// as far open, as positions at which rows end do.
std::optional<Contradiction> contradicting_positions_near(const System& system, const State& state,
                                                          double way);

}  // namespace catena::detail
