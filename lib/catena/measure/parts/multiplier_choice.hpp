// Which multipliers outputs show: those of the method, or those that belong to its positions and velocities.
#pragma once
#include <cstdint>
#include <string>

namespace catena {

enum class MultiplierChoice : std::uint8_t {
  method,     // State::lambda
  recomputed  // Lambda(t, q, P v), measure/detail/recomputed_multipliers.hpp
};

// "" (method), "method" or "recomputed". Throws SelectionError.
MultiplierChoice multiplier_choice(const std::string& text);

}  // namespace catena
