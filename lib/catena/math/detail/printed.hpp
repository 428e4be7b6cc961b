// Numbers in the text of messages.
#pragma once
#include <string>

namespace catena::detail {

// As std::printf writes it.
[[gnu::format(printf, 1, 2)]] std::string printed(const char* format, ...);

}  // namespace catena::detail
