// Redundant rows of a system, proven: what reports say of an initial state.
#pragma once
#include <catena/kkt/detail/factored_rows.hpp>
#include <catena/system/system.hpp>

namespace catena::detail {

// find_redundancy() with the rank oracle of the back ends.
Redundancy redundant_rows(const System& system, const State& state);
Redundancy redundant_rows(FactoredRows& rows);

}  // namespace catena::detail
