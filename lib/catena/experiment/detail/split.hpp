// Lists that users type.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace catena::detail {

// Without the blanks at both ends.
std::string_view trimmed(std::string_view text);

// The parts of a text between separators, without the blanks around them; empty ones too: one part where there is no
// separator.
std::vector<std::string> split(std::string_view text, char separator);

}  // namespace catena::detail
