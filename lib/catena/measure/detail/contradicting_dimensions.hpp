// Overconstrained loops whose dimensions do not fit.
#pragma once
#include <catena/system/system.hpp>

#include <string>

namespace catena::detail {

// A sentence that names the joint that is open most where dependent rows leave positions open; "" where positions near the state
// satisfy all rows to roundoff. gap: how far it is open [m, rad].
std::string contradicting_dimensions(const System& system, const State& state, double* gap = nullptr);

}  // namespace catena::detail
