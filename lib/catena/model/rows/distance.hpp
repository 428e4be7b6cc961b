// Two body points stay a length L apart: g = (|d|^2 - L^2) / (2 L), d = (x_B + R_B p_B) - (x_A + R_A p_A).
// The row is scaled so that g is |d| - L to first order [m] and its Jacobian d^T/L has unit length on the
// constraint: lambda is the tension in newtons (positive: the points pull each other), and no square root
// makes the row singular on the way there. The force on body A is +lambda d/L, on body B -lambda d/L.
#pragma once
#include <catena/model/rows/coincide.hpp>

namespace catena::rows {
inline namespace CATENA_ISA {

// |d| - L from the row (|d|^2 - L^2) / (2 L).
inline double by_excess_length(const double* r, const double* p) {
  const double length = p[6], square = length * (length + 2.0 * r[0]);
  return __builtin_sqrt(square > 0.0 ? square : 0.0) - length;
}

template <class S>
struct Distance {
  static constexpr int bodies = 2, rows = 1, parameters = 7;
  static constexpr Level level = Level::position;
  static constexpr bool couples = true;
  static constexpr RowsMeaning meaning{.unit = RowUnit::length,
                                       .positions = PositionUse::difference,
                                       .points = 2,
                                       .length_parameter = 6,
                                       .opposite = Opposite::at_own_point,
                                       .violation = &by_excess_length,
                                       .violation_unit = "m"};
  using Frame = BodyFrame<S>;
  using V = Vec<S, 3>;

  Coincide<S> points;
  S length;  // [m]

  template <class Io>
  static Distance load(const Io& io, const double* p) {
    return {Coincide<S>::load(io, p), io.entry(p, 6)};
  }
  void save(double* out) const {
    points.save(out);
    out[6] = length;
  }

  Vec<S, 1> gap(const Frame* f, const S& t) const {
    const V d = points.gap(f, t);
    return {{(dot(d, d) - length * length) / (S(2.0) * length)}};
  }
  void jacobian(const Frame* f, const S& t, Mat<S, 1, 6>* G) const {
    Mat<S, 3, 6> P[2];
    points.jacobian(f, t, P);
    const V n = direction(f, t);
    for (int i = 0; i < 2; ++i) G[i] = transpose_times(n, P[i]);
  }
  Vec<S, 1> drift(const Frame*, const S&) const { return Vec<S, 1>::Zero(); }
  Vec<S, 1> bias(const Frame* f, const S& t) const {
    const V rate = point_velocity(f);
    return {{dot(rate, rate) / length + dot(direction(f, t), points.bias(f, t))}};
  }
  void rate_jacobian(const Frame* f, const S& t, Mat<S, 1, 6>* N) const {
    Mat<S, 3, 6> P[2], Q[2];
    points.jacobian(f, t, P);
    points.rate_jacobian(f, t, Q);
    const V n = direction(f, t), rate = (S(1.0) / length) * point_velocity(f);
    for (int i = 0; i < 2; ++i) N[i] = transpose_times(rate, P[i]) + transpose_times(n, Q[i]);
  }
  // G_i^T lambda = P_i^T d lambda/L: the turning of P_i, and d changing with P_j
  void geometric_stiffness(const Frame* f, const S& t, const Vec<S, 1>& lambda, Mat<S, 6, 6>* K) const {
    Mat<S, 3, 6> P[2];
    points.jacobian(f, t, P);
    const S scaled = lambda[0] / length;
    points.geometric_stiffness(f, t, V(scaled * points.gap(f, t)), K);
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) K[2 * i + j] += scaled * transpose_times(P[i], P[j]);
  }

 private:
  V direction(const Frame* f, const S& t) const { return (S(1.0) / length) * points.gap(f, t); }
  V point_velocity(const Frame* f) const {
    return f[1].point_velocity(points.point_b) - f[0].point_velocity(points.point_a);
  }
};

// Points in the frames of A and B, length positive [m].
inline Distance<double> distance(const Vec<double, 3>& point_a, const Vec<double, 3>& point_b,
                                 double length) {
  return {{point_a, point_b}, length};
}

}  // namespace CATENA_ISA
}  // namespace catena::rows
