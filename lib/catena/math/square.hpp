// Which numbers have a square.
#pragma once
#include <cmath>

namespace catena {

// 1.34e154. Energies and sizes are made of squares: beyond it they are infinite though the number itself is not.
constexpr double square_limit = 0x1p512;
inline bool has_square(double x) { return std::abs(x) < square_limit; }  // false for what is no number

}  // namespace catena
