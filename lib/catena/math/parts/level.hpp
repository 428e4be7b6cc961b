// At which level a constraint is given.
#pragma once
#include <cstdint>

namespace catena {

enum class Level : std::uint8_t {
  position,  // g(q, t) = 0
  velocity   // A(q, t) v + a(q, t) = 0
};

}  // namespace catena
