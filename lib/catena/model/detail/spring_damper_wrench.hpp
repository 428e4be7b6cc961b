// Linear spring and damper between two body points, d = (x_B + R_B p_B) - (x_A + R_A p_A), l = |d|, n = d/l:
// tension F = k (l - l0) + c l', the force on body A is +F n, on body B -F n; potential k (l - l0)^2 / 2.
// Written as F n = k d + s n with s = c l' - k l0, so that a spring without rest length is smooth at d = 0; what is
// left of a damper there fades out where the points are closer than 1e-12 m. A force k l0 does not: it has no direction
// there, and is not a number, so that no step can end where the errors of arithmetic would choose one.
#pragma once
#include <catena/model/detail/along_coordinates.hpp>
#include <catena/model/rows/coincide.hpp>

CATENA_BEGIN_DETAIL_ISA

template <class S>
struct SpringDamperWrench {
  static constexpr int bodies = 2, parameters = 9;
  static constexpr bool couples = true;
  static constexpr PositionUse positions = PositionUse::difference;
  static constexpr int points = 2;
  using Frame = BodyFrame<S>;
  using V = Vec<S, 3>;
  using M3 = Mat<S, 3, 3>;

  rows::Coincide<S> ends;
  S stiffness, damping, rest_length;  // [N/m], [N s/m], [m]

  template <class Io>
  static SpringDamperWrench load(const Io& io, const double* p) {
    return {rows::Coincide<S>::load(io, p), io.entry(p, 6), io.entry(p, 7), io.entry(p, 8)};
  }
  void save(double* out) const {
    ends.save(out);
    out[6] = stiffness;
    out[7] = damping;
    out[8] = rest_length;
  }

  void wrench(const Frame* f, const S& t, Vec<S, 6>* w) const {
    Mat<S, 3, 6> P[2];
    ends.jacobian(f, t, P);
    const Line l = line(f, t);
    for (int i = 0; i < 2; ++i) w[i] = -transpose_times(P[i], force(l));
  }

  // w_i = -P_i^T F n: the turning of P_i, F n changing with d (P_j) and with d' (Q_j at fixed v, P_j with v)
  void derivatives(const Frame* f, const S& t, Mat<S, 6, 6>* K, Mat<S, 6, 6>* D) const {
    Mat<S, 3, 6> P[2], Q[2];
    ends.jacobian(f, t, P);
    ends.rate_jacobian(f, t, Q);
    const Line l = line(f, t);
    ends.geometric_stiffness(f, t, force(l), K);
    const M3 with_rate = outer(V(damping * l.n), l.n);
    const V slope = (damping * l.inverse) * (l.d_rate - l.rate * l.n);  // ds/dd
    const S s = l.strength * l.inverse;
    M3 with_d = outer(l.n, slope) - s * outer(l.n, l.n);
    for (int k = 0; k < 3; ++k) with_d(k, k) = with_d(k, k) + (stiffness + s);
    for (int j = 0; j < 2; ++j) {
      const Mat<S, 3, 6> pose = with_d * P[j] + with_rate * Q[j];
      const Mat<S, 3, 6> velocity = with_rate * P[j];
      for (int i = 0; i < 2; ++i) {
        K[2 * i + j] += transpose_times(P[i], pose);
        D[2 * i + j] = transpose_times(P[i], velocity);
      }
    }
  }

  // Along l; without a rest length along d, which has a direction everywhere.
  AlongCoordinates along_coordinates(const Frame* f, const S& t) const {
    Mat<S, 3, 6> P[2];
    ends.jacobian(f, t, P);
    const Line l = line(f, t);
    const V F = force(l);
    AlongCoordinates out;
    if (rest_length != 0.0) {
      Mat<S, 1, 6> G[2];
      for (int i = 0; i < 2; ++i)
        for (int c = 0; c < 6; ++c) G[i][c] = l.n[0] * P[i](0, c) + l.n[1] * P[i](1, c) + l.n[2] * P[i](2, c);
      return AlongCoordinates::one(G, -dot(l.n, F), -stiffness, -damping);
    }
    out.size = 3;
    for (int r = 0; r < 3; ++r) {
      out.force[r] = -F[r];
      out.by_coordinate(r, r) = -stiffness;
      for (int c = 0; c < 3; ++c) out.by_rate(r, c) = -damping * l.n[r] * l.n[c];
      for (int i = 0; i < 2; ++i)
        for (int c = 0; c < 6; ++c) out.rows[i](r, c) = P[i](r, c);
    }
    return out;
  }
  S power(const Frame* f, const S& t) const {
    const S rate = line(f, t).rate;
    return -damping * rate * rate;
  }
  S potential(const Frame* f, const S& t) const {
    const V d = ends.gap(f, t);
    const S stretch = sqrt(dot(d, d)) - rest_length;
    return S(0.5) * stiffness * stretch * stretch;
  }

 private:
  struct Line {
    V d, d_rate, n;
    S inverse, rate, strength;  // 1/l, l', s
  };
  Line line(const Frame* f, const S& t) const {
    Line l;
    l.d = ends.gap(f, t);
    l.d_rate = f[1].point_velocity(ends.point_b) - f[0].point_velocity(ends.point_a);
    const S squared = dot(l.d, l.d);
    l.inverse = S(1.0) / sqrt(max(squared, S(1e-24)));
    l.n = l.inverse * l.d;
    l.rate = dot(l.n, l.d_rate);
    const S at_rest = stiffness * rest_length;
    const S without_direction = select_less(S(0.0), abs(at_rest), S(__builtin_nan("")), at_rest);
    l.strength = damping * l.rate - select_less(squared, S(1e-24), without_direction, at_rest);
    return l;
  }
  V force(const Line& l) const { return stiffness * l.d + l.strength * l.n; }
};

CATENA_END_DETAIL_ISA
