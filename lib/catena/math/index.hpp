// A count or a place, kept as a signed number, as the standard containers take it.
#pragma once
#include <concepts>
#include <cstddef>

namespace catena {

constexpr std::size_t index(std::integral auto k) { return static_cast<std::size_t>(k); }

}  // namespace catena
