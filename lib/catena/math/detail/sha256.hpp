// SHA-256, FIPS 180-4.
#pragma once
#include <string>
#include <string_view>

namespace catena::detail {

// 64 hexadecimal digits, as the program sha256sum prints them.
std::string sha256(std::string_view bytes);

}  // namespace catena::detail
