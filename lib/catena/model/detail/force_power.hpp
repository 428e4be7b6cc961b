// What a force supplies to a mechanism beside its potential: P = sum w_i . v_i + dV/dt, with the rate of the potential
// along the motion, so that the energy that counts V changes by the integral of P (and of other forces') alone. Zero for a
// spring, minus c l'^2 for a damper, T . omega for a torque.
#pragma once
#include <catena/model/detail/automatic.hpp>
#include <catena/model/detail/discrete.hpp>
#include <catena/model/detail/element_pool.hpp>
#include <catena/model/force.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace catena::detail::of_element {

// Discrete values as constants of any scalar.
template <class S>
struct ConstantIo {
  S discrete(const double* values, int at, int, int k) const { return S(values[at + k]); }
};

// The kernel of one element at its discrete values (null: those that it begins with) and the multipliers that it reads.
template <class S, class F>
auto kernel_at_values(const F& force, const double* discrete, const double* reaction = nullptr) {
  auto kernel = kernel_of<S>(force);
  if constexpr (HasDiscreteKernel<F>)
    if (discrete != nullptr) kernel.read_discrete(ConstantIo<S>{}, discrete, 0);
  if constexpr (ReadsReaction<F>)
    if (reaction != nullptr) kernel.read_reaction(reaction, force.reaction.rows);
  return kernel;
}

template <class S, class F>
S potential_at(const F& force, const BodyFrame<S>* f, const S& t, const double* discrete) {
  if constexpr (HasKernel<F>)
    return kernel_at_values<S>(force, discrete).potential(f, t);
  else
    return [&]<std::size_t... I>(std::index_sequence<I...>)->S { return force.potential(f[I]..., t); }
  (Indices<F>{});
}

// d/dt of the potential [W] along the motion of the frames, and its error: PowerParts without the wrenches.
template <class F>
PowerParts potential_rate(const F& force, const BodyFrame<double>* f, double t, const double* discrete) {
  constexpr int n = body_count<F>;
  using T = Dual<double, 1>;
  if constexpr (HasKernel<F> || has_potential<F, T>(Indices<F>{})) {
    BodyFrame<T> g[n];
    for (int i = 0; i < n; ++i) g[i] = automatic::moving(f[i]);
    return {0.0, potential_at<T>(force, g, automatic::moving_time(t), discrete).d[0]};
  } else if constexpr (has_potential<F, double>(Indices<F>{})) {
    // Written for double alone: a central difference, whose errors h^2 and eps / h are equal at the cubic root of eps.
    double speed = 1.0;  // [1/s, m/s]
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < 3; ++k) speed = std::max({speed, std::abs(f[i].v[k]), std::abs(f[i].omega[k])});
    const double h = std::cbrt(std::numeric_limits<double>::epsilon()) / speed;  // [s]
    const auto at = [&](double dt) {
      BodyFrame<double> g[n];
      for (int i = 0; i < n; ++i) {
        g[i] = f[i];
        g[i].x += dt * f[i].v;
        g[i].R = f[i].R * rotation_matrix(exponential(Vec3(dt * f[i].omega)));
      }
      return potential_at<double>(force, g, t + dt, discrete);
    };
    const double after = at(h), before = at(-h);
    return {0.0, (after - before) / (2.0 * h), error_of_difference(after, before, h)};
  } else {
    return {};
  }
}

// discrete: of the element; null: those that it begins with. reaction: the multipliers that it reads.
template <class F>
PowerParts power(const F& force, const BodyFrame<double>* f, double t, const double* discrete,
                 const double* reaction) {
  Vec<double, 6> w[body_count<F>];
  if constexpr (HasKernel<F>)
    kernel_at_values<double>(force, discrete, reaction).wrench(f, t, w);
  else
    wrench<double>(force, f, t, w);
  PowerParts power = potential_rate(force, f, t, discrete);
  for (int i = 0; i < body_count<F>; ++i)
    for (int k = 0; k < 3; ++k) power.of_wrenches += w[i][k] * f[i].v[k] + w[i][3 + k] * f[i].omega[k];
  return power;
}

}  // namespace catena::detail::of_element
