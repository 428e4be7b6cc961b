// The force along a coordinate s of two bodies, forward where positive:
//     Q = a(t) - k (s - s0) - c s' - spring(s) - damper(s') - friction s' / sqrt(s'^2 + v^2)
// The last term is Coulomb friction, made smooth over rates of the size v.
#pragma once
#include <catena/model/parts/frame.hpp>
#include <catena/model/parts/function.hpp>

#include <cmath>
#include <cstddef>
#include <iterator>

namespace catena::detail {

struct CoordinateLaw {
  static constexpr int discrete = 0;
  double stiffness = 0.0, damping = 0.0, free = 0.0;
  const Function *spring = nullptr, *damper = nullptr, *actuator = nullptr;
  double friction = 0.0, friction_rate = 1.0;

  struct Value {
    double force = 0.0, by_coordinate = 0.0, by_rate = 0.0;  // Q, dQ/ds, dQ/ds'
  };
  Value at(double s, double rate, double t, const double* = nullptr) const {
    const FunctionValue of_s = spring->at(s), of_rate = damper->at(rate);
    const double size = std::sqrt(rate * rate + friction_rate * friction_rate), part = friction_rate / size;
    return {actuator->at(t).value - stiffness * (s - free) - damping * rate - of_s.value - of_rate.value -
                friction * rate / size,
            -stiffness - of_s.slope, -damping - of_rate.slope - friction / size * part * part};
  }
  // Beside the potential.
  double power(double s, double rate, double t, const double* = nullptr) const {
    const double conservative = stiffness * (s - free) + (spring->has_integral() ? spring->at(s).value : 0.0);
    return (at(s, rate, t).force + conservative) * rate;
  }
  bool does_work() const {
    return damping != 0.0 || friction != 0.0 || !(spring->has_integral() || spring->is_zero()) ||
           !damper->is_zero() || !actuator->is_zero();
  }
  // Of the springs: the linear one, and one whose function has an integral. All else counts by its work.
  template <class S>
  S potential(const S& s) const {
    const S elongation = s - free;
    const S linear = 0.5 * stiffness * elongation * elongation;
    if (!spring->has_integral() || spring->is_zero()) return linear;
    if constexpr (requires { s.d; }) {
      S curved(spring->integral(s.value));
      const double slope = spring->at(s.value).value;
      for (std::size_t i = 0; i < std::size(s.d); ++i) curved.d[i] = slope * s.d[i];
      return linear + curved;
    } else {
      return linear + spring->integral(s);
    }
  }
};

// Whether a step from one value of s to another has passed over points of the table of a spring between which it does more
// work than the forces at both ends show, over a bump of it: no stage of the step may have seen it, and no estimate of its error.
bool passed_over(const Function& spring, double from, double to);
inline constexpr const char* passed_over_text =
    "a step has passed over points of the table of its spring, between which the spring does more work than "
    "its forces at the "
    "ends of the step show; take smaller steps, or max_step of a method that chooses its steps";

// w_i = G_i^T Q along a row G = ds/dq of the coordinate (rows/).
template <class Row>
inline void push_along(const Row& row, const BodyFrame<double>* f, double force, Vec<double, 6>* w) {
  Mat<double, 1, 6> G[2];
  row.jacobian(f, 0.0, G);
  for (int i = 0; i < 2; ++i) w[i] = transpose_times(G[i], Vec<double, 1>{{force}});
}

// G v
template <class Row>
inline double rate_along(const Row& row, const BodyFrame<double>* f) {
  Mat<double, 1, 6> G[2];
  row.jacobian(f, 0.0, G);
  double rate = 0.0;
  for (int i = 0; i < 2; ++i)
    for (int c = 0; c < 3; ++c) rate += G[i][c] * f[i].v[c] + G[i][3 + c] * f[i].omega[c];
  return rate;
}

// K_ij = -dw_i/dq_j: G_i turning with the bodies (K holds it already), Q with s (G_j) and with s' (N_j = d(G v)/dq_j);
// D_ij = -dw_i/dv_j.
inline void add_slopes(const CoordinateLaw::Value& q, const Mat<double, 1, 6>* G, const Mat<double, 1, 6>* N,
                       Mat<double, 6, 6>* K, Mat<double, 6, 6>* D) {
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      K[2 * i + j] -= transpose_times(G[i], Mat<double, 1, 6>(q.by_coordinate * G[j] + q.by_rate * N[j]));
      D[2 * i + j] = transpose_times(G[i], Mat<double, 1, 6>(-q.by_rate * G[j]));
    }
}

}  // namespace catena::detail
