// Numbers and names in the text of messages.
#pragma once
#include <string>
#include <vector>

namespace catena::detail {

// As std::printf writes it.
[[gnu::format(printf, 1, 2)]] std::string printed(const char* format, ...);

// All names with commas between; `last` comes before the last of them, " and " say.
std::string joined(const std::vector<std::string>& names, const char* last = ", ");

// The first six names, which fit into two lines, and how many more there are.
std::string listed(const std::vector<std::string>& names);

}  // namespace catena::detail
