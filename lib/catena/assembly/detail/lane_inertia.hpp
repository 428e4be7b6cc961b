// Mass and moments of inertia of bodies as kernels read them: eight bodies side by side, parameter by parameter.
#pragma once
#include <catena/assembly/detail/body_kernel.hpp>
#include <catena/math/detail/index.hpp>

#include <vector>

namespace catena::detail {

// Zeros for so many bodies, up to the end of the last pack.
inline std::vector<double> lane_inertia(int bodies) {
  return std::vector<double>(index((bodies + 7) / 8 * 8 * body_parameters), 0.0);
}

inline void set_lane_inertia(std::vector<double>& into, int k, double mass, const Mat3& J) {
  const double values[body_parameters] = {mass, J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2)};
  for (int e = 0; e < body_parameters; ++e)
    into[index(k / 8 * 8 * body_parameters + 8 * e + k % 8)] = values[e];
}

}  // namespace catena::detail
