// How far components move together.
#pragma once
#include <catena/system/system.hpp>

#include <vector>

namespace catena::detail {

// Of each velocity component SystemLayout::scale, of a translation the size of the body or of a rod or arm at its joints,
// whichever is larger [m]: a small body at the end of an arm goes along with the arm.
std::vector<double> move_lengths(const SystemLayout& layout);

}  // namespace catena::detail
