// Places in arrays of a factor or a matrix.
#pragma once
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>

namespace catena::detail {

// The place, which schedules and kernels count by int. Throws std::length_error where a system is too large for that; what: whose
// numbers.
inline int counted(std::size_t place, const char* what) {
  constexpr int most = std::numeric_limits<int>::max();
  if (place > static_cast<std::size_t>(most))
    throw std::length_error("this system is too large: " + std::string(what) +
                            " of its matrix have more than " + std::to_string(most) + " numbers");
  return static_cast<int>(place);
}

}  // namespace catena::detail
