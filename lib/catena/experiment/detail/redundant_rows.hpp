// Redundant rows of a system, proven: what reports say of an initial state.
#pragma once
#include <catena/kkt/detail/redundancy.hpp>
#include <catena/system/system.hpp>

namespace catena::detail {

// find_redundancy() with the rank oracle of the back ends (SPQR). Initial positions may miss by 1e-9 m
// (Model::check_initial_positions), more than that of a small body: ranks are taken to 1e-8.
Redundancy redundant_rows(const System& system, const State& state);

}  // namespace catena::detail
