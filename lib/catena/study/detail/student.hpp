// Intervals of confidence of fitted numbers.
#pragma once
#include <cstddef>
#include <iterator>

namespace catena::detail {

// Student's factor of an interval of 95 %, for at least one degree of freedom.
inline double student(std::size_t freedom) {
  constexpr double factors[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228};
  return freedom <= std::size(factors) ? factors[freedom - 1] : 2.2;
}

}  // namespace catena::detail
