// Forces that make energy of any motion.
#pragma once
#include <catena/system/system.hpp>

#include <string>

namespace catena::detail {

// 'force "strut" (spring_damper) supplies energy whichever way it moves, as a damper with a negative coefficient does'; empty:
// there is none, or the system is in its own coordinates. At the positions of the state.
std::string negative_dampers(const System& system, const State& state);

}  // namespace catena::detail
