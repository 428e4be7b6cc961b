// Numbers and names in the text of messages.
#pragma once
#include <string>
#include <vector>

namespace catena::detail {

// As std::printf writes it.
[[gnu::format(printf, 1, 2)]] std::string printed(const char* format, ...);

// The first six names, which fit into two lines, and how many more there are.
std::string listed(const std::vector<std::string>& names);

}  // namespace catena::detail
