// The coefficients of Dormand and Prince 5(4) with the dense output of order 4 by Shampine, as in Hairer,
// Norsett, Wanner, Solving Ordinary Differential Equations I, II.5 and II.6.
#pragma once

namespace catena::dormand_prince_tableau {

inline constexpr int stages = 7;  // the last one stands at the end of the step and is the first of the next

inline constexpr double c[stages] = {0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0};

// Row s: stage s from the derivatives of the stages before it; row 6 is the solution of order 5.
inline constexpr double a[stages][stages - 1] = {
    {},
    {1.0 / 5.0},
    {3.0 / 40.0, 9.0 / 40.0},
    {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
    {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
    {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0},
    {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0}};

// Solution of order 5 minus that of order 4.
inline constexpr double e[stages] = {71.0 / 57600.0,      0.0,          -71.0 / 16695.0, 71.0 / 1920.0,
                                     -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0};

// The last coefficient of the dense output.
inline constexpr double d[stages] = {-12715105075.0 / 11282082432.0,  0.0,
                                     87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
                                     701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
                                     69997945.0 / 29380423.0};

}  // namespace catena::dormand_prince_tableau
