// Overconstrained loops whose dimensions do not fit.
#pragma once
#include <catena/system/system.hpp>

#include <string>

namespace catena::detail {

// A sentence that names the joint that is open most where dependent rows leave positions open; "" where positions near the state
// satisfy all rows to roundoff. gap: how far it is open [m, rad].
std::string contradicting_dimensions(const System& system, const State& state, double* gap = nullptr);
// The same for positions a little way from the state, where those at it satisfy all rows. Of rows that depend on each other at
// all positions: others are dependent at the state alone, and say nothing here.
std::string contradicting_dimensions_near(const System& system, const State& state);

}  // namespace catena::detail
