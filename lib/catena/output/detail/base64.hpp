#pragma once
#include <string>

namespace catena::detail {

// Bytes in base64 (RFC 4648, section 4), with padding.
std::string base64(const std::string& bytes);

}  // namespace catena::detail
