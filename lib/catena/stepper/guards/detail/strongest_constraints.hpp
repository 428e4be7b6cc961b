// Names for a failure that several constraints share.
#pragma once
#include <catena/system/system.hpp>

#include <string>

namespace catena::detail {

// '"back wheels" of "board", "front wheels" of "board"': the constraints with a tenth of the largest multiplier at
// least, six at most.
std::string strongest_constraints(const System& system, const Point& at);

}  // namespace catena::detail
