// BDF of orders 1 to 4 on uneven steps, as weights of the means d_i = P[t_{n-i}, t_{n-i-1}] over the last steps, i = 0 the one
// in hand, of the quantity P that is interpolated:
//
//     P'(t_n) = sum_{i < k} derivative_i d_i       of the polynomial of order k through P_n ... P_{n-k}
//     d_0 = sum_i predicted_i d_{i+1}              where that through P_{n-1} ... P_{n-k-1} continues
//     sum_i error_i d_i                            the local error of P_n at order k: what d_0 is beside that, times
//                                                  h^2 / (t_n - t_{n-k-1})
//
// Source: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., III.5.
#pragma once
#include <array>

namespace catena::detail {

constexpr int bdf_largest_order = 4;

struct BdfWeights {
  std::array<double, bdf_largest_order> derivative{}, predicted{};
};

// h[0] is the size of the step in hand, h[1] ... h[order] those of the steps before [s].
using BdfSteps = std::array<double, bdf_largest_order + 1>;

BdfWeights bdf_weights(int order, const BdfSteps& h);

// Weights of d_0 ... d_order [s].
std::array<double, bdf_largest_order + 1> bdf_error(int order, const BdfSteps& h);

}  // namespace catena::detail
