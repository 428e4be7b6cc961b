// A signed count or place as the index type of the standard containers.
#pragma once
#include <concepts>
#include <cstddef>

namespace catena::detail {

constexpr std::size_t index(std::integral auto k) { return static_cast<std::size_t>(k); }

}  // namespace catena::detail
