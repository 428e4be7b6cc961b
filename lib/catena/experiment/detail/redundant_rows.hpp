// Redundant rows of a system, proven: what reports say of an initial state.
#pragma once
#include <catena/kkt/detail/factored_rows.hpp>
#include <catena/model/model.hpp>
#include <catena/system/system.hpp>

#include <string>
#include <vector>

namespace catena::detail {

// find_redundancy() with the rank oracle of the back ends.
Redundancy redundant_rows(const System& system, const State& state);
Redundancy redundant_rows(FactoredRows& rows);

// Where rows are redundant in every position, the sentence ends with what follows from it: friction would be that of roundoff.
inline constexpr const char* no_unique_motion =
    ": no equation says how large that is, so that the motion is not unique, and a run is refused; take "
    "joints "
    "with fewer rows, spherical in place of revolute say";
// Forces that follow reactions which redundant rows leave open, friction of a joint say: a sentence each.
std::vector<std::string> forces_of_open_reactions(const Model& model, const Redundancy& redundancy);

}  // namespace catena::detail
