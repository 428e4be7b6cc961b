// Whether a file can be written, asked before the work whose outcome it is to hold.
#pragma once
#include <string>

namespace catena {

// Empty, or why not: "it is a folder". Touches nothing, so that a run that fails leaves no empty file behind, and pipes
// have one writer.
std::string unwritable(const std::string& file);

}  // namespace catena
