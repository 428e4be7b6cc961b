#pragma once
#include <cstddef>
#include <string_view>

namespace catena::detail {

// How many bytes the character of UTF-8 has that begins the text; 0: none does.
std::size_t utf8_length(std::string_view text);

}  // namespace catena::detail
