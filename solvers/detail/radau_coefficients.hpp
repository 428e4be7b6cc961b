// Radau IIA with three stages: c, A^-1, its real form [gamma 0 0; 0 alpha -beta; 0 beta alpha] = T^-1 A^-1 T, and the weights
// of its error.
//
// Source: Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., IV.8 and the code RADAU5. The digits follow from
// A; tests/solvers/radau_coefficients.cpp checks them.
#pragma once

namespace catena::detail::radau {

inline constexpr double root_6 = 2.449489742783178098;
inline constexpr double c[3] = {(4.0 - root_6) / 10.0, (4.0 + root_6) / 10.0, 1.0};
inline constexpr double a[3][3] = {
    {(88.0 - 7.0 * root_6) / 360.0, (296.0 - 169.0 * root_6) / 1800.0, (-2.0 + 3.0 * root_6) / 225.0},
    {(296.0 + 169.0 * root_6) / 1800.0, (88.0 + 7.0 * root_6) / 360.0, (-2.0 - 3.0 * root_6) / 225.0},
    {(16.0 - root_6) / 36.0, (16.0 + root_6) / 36.0, 1.0 / 9.0}};
inline constexpr double inverse_a[3][3] = {
    {3.22474487139158904909, 1.16784008469040549492, -0.2531972647421808261},
    {-3.5678400846904054949, 0.77525512860841095090, 1.05319726474218082618},
    {5.53197264742180826185, -7.5319726474218082618, 5.0}};

inline constexpr double gamma = 3.63783425274449573220;
inline constexpr double alpha = 2.68108287362775213389;
inline constexpr double beta = 3.05043019924741056942;
inline constexpr double to_stages[3][3] = {
    {0.09123239487089294279, -0.1412552950209542084, -0.0300291941051474244},
    {0.24171793270710701895, 0.20412935229379993199, 0.38294211275726193779},
    {0.96604818261509293619, 1.0, 0.0}};
inline constexpr double from_stages[3][3] = {
    {4.32557989006315535102, 0.33919925181580986954, 0.54177053993587487118},
    {-4.1787185915519047273, -0.3276828207610623870, 0.47662355450055045196},
    {-0.5028726349457868759, 2.57192694985560542918, -0.5960392048282249249}};

// Of the embedded solution of order 3: v_n + sum_i error_i xi_i / h.
inline constexpr double error[3] = {-(13.0 + 7.0 * root_6) / 3.0, (-13.0 + 7.0 * root_6) / 3.0, -1.0 / 3.0};

}  // namespace catena::detail::radau
