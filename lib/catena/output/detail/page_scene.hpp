// What the page of a report shows of a mechanism: shapes of bodies, joints with their frames, springs and rods, and who is
// joined to whom.
#pragma once
#include <catena/measure/parts/measured_system.hpp>

#include <string>

namespace catena::detail {

// A JSON object. Bodies are those that move, in the order of the velocity blocks; a body of -1 does not move, and points
// on it are in the world frame. Lengths in m. docs/theory/page.md lists the keys.
std::string page_scene(const MeasuredSystem& measured);

}  // namespace catena::detail
