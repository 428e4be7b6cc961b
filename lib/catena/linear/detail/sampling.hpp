// Elements that act at instants alone, which no equation with constant coefficients describes.
#pragma once
#include <catena/system/system.hpp>

#include <string>

namespace catena::detail {

// 'force "servo" (pid)': the first joint or force with a sampling period; empty: there is none.
std::string sampling_element(const System& system);

}  // namespace catena::detail
