// The range of numbers whose square is finite.
#pragma once
#include <cmath>

namespace catena::detail {

// 1.34e154. Energies and sizes are sums of squares: beyond this limit they are infinite, although the number is not.
constexpr double square_limit = 0x1p512;
inline bool has_square(double x) { return std::abs(x) < square_limit; }  // false for NaN

}  // namespace catena::detail
