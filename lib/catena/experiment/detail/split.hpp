// Lists that users type.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace catena::detail {

// The parts of a text between separators, empty ones too: one part where there is no separator.
std::vector<std::string> split(std::string_view text, char separator);

}  // namespace catena::detail
