// What several observers know, as one list of numbers for a checkpoint. An observer here has
// memory(), always of as many numbers, and remember(), which refuses a list of another length.
#pragma once
#include <cstddef>
#include <vector>

namespace catena::detail {

// One after the other.
template <class... Parts>
std::vector<double> joined_memory(const Parts&... parts) {
  std::vector<double> all;
  for (const std::vector<double>& one : {parts.memory()...}) all.insert(all.end(), one.begin(), one.end());
  return all;
}

// Gives each its numbers back. False: these are not theirs.
template <class... Parts>
bool remember_joined(const std::vector<double>& memory, Parts&... parts) {
  auto from = memory.begin();
  const auto give = [&](auto& part) {
    const auto count = static_cast<std::ptrdiff_t>(part.memory().size());
    if (memory.end() - from < count) return false;
    from += count;
    return part.remember({from - count, from});
  };
  return (give(parts) && ...) && from == memory.end();
}

}  // namespace catena::detail
