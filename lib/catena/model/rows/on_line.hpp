// A point of B does not leave a point of A along m directions of A:
//     g_k = (R_A n_k) . d [m],   d = (x_B + R_B p_B) - (x_A + R_A p_A),   n_k in the frame of A, of unit length
// m = 2, n_1 and n_2 across an axis of A: the point stays on the line along that axis. m = 1: it stays in the plane normal
// to n_1. lambda_k is minus the force on B along R_A n_k [N]; it acts at the point of B.
#pragma once
#include <catena/math/parts/level.hpp>
#include <catena/model/rows/axes.hpp>
#include <catena/model/rows/meaning.hpp>
#include <catena/model/rows/parameters.hpp>
#include <catena/model/rows/violation.hpp>

namespace catena::rows {
inline namespace CATENA_ISA {

template <class S, int m>
struct Along {
  static constexpr int bodies = 2, rows = m, parameters = 6 + 3 * m;
  static constexpr Level level = Level::position;
  static constexpr bool couples = true;
  static constexpr RowsMeaning meaning{.unit = RowUnit::length,
                                       .positions = PositionUse::difference,
                                       .points = 2,
                                       .open = Open::way,
                                       .opposite = Opposite::at_second_point,
                                       .violation = &by_length<m>,
                                       .violation_unit = "m"};
  using Frame = BodyFrame<S>;
  using V = Vec<S, 3>;
  using M3 = Mat<S, 3, 3>;

  Vec<S, 3> point_a, point_b;  // body frames [m]
  Vec<S, 3> normal[m];         // frame of A

  template <class Io>
  static Along load(const Io& io, const double* p) {
    Along k;
    k.point_a = load_vector<S>(io, p, 0);
    k.point_b = load_vector<S>(io, p, 3);
    for (int i = 0; i < m; ++i) k.normal[i] = load_vector<S>(io, p, 6 + 3 * i);
    return k;
  }
  void save(double* out) const {
    save_vector(out, point_a);
    save_vector(out + 3, point_b);
    for (int i = 0; i < m; ++i) save_vector(out + 6 + 3 * i, normal[i]);
  }

  Vec<S, m> gap(const Frame* f, const S&) const {
    const V d = transpose_times(f[0].R, way(f));
    Vec<S, m> r;
    for (int k = 0; k < m; ++k) r[k] = dot(normal[k], d);
    return r;
  }

  void jacobian(const Frame* f, const S&, Mat<S, m, 6>* G) const {
    const V s = point_a + V(transpose_times(f[0].R, way(f)));  // the point of B in the frame of A
    for (int k = 0; k < m; ++k) {
      const V n = f[0].R * normal[k];
      set_motion_row(G[0], k, V(-n), V(cross(normal[k], s)));
      set_motion_row(G[1], k, n, V(cross(point_b, V(transpose_times(f[1].R, n)))));
    }
  }

  Vec<S, m> drift(const Frame*, const S&) const { return Vec<S, m>::Zero(); }

  // n.d'' + 2 (Omega_A x n).d' + (Omega_A x (Omega_A x n)).d with the rates of d in the world, turned into A
  Vec<S, m> bias(const Frame* f, const S&) const {
    const V& w = f[0].omega;
    const V d = transpose_times(f[0].R, way(f)), d1 = transpose_times(f[0].R, way_rate(f));
    const V second =
        f[1].R * cross(f[1].omega, cross(f[1].omega, point_b)) - f[0].R * cross(w, cross(w, point_a));
    const V d2 = transpose_times(f[0].R, second);
    Vec<S, m> r;
    for (int k = 0; k < m; ++k) {
      const V n1 = cross(w, normal[k]);
      r[k] = dot(normal[k], d2) + S(2.0) * dot(n1, d1) + dot(V(cross(w, n1)), d);
    }
    return r;
  }

  void rate_jacobian(const Frame* f, const S&, Mat<S, m, 6>* N) const {
    const V s = point_a + V(transpose_times(f[0].R, way(f)));
    const V turning = cross(f[1].omega, point_b);
    // v_B + R_B (Omega_B x p_B) - v_A, in the frame of A
    const V approach = transpose_times(f[0].R, V(f[1].v + f[1].R * turning - f[0].v));
    for (int k = 0; k < m; ++k) {
      const V rate = cross(f[0].omega, normal[k]);
      const V n = f[0].R * normal[k], n1 = f[0].R * rate;
      set_motion_row(N[0], k, V(-n1), V(cross(normal[k], approach) + cross(rate, s)));
      set_motion_row(
          N[1], k, n1,
          V(cross(turning, V(transpose_times(f[1].R, n))) + cross(point_b, V(transpose_times(f[1].R, n1)))));
    }
  }

  // With n = sum lambda_k n_k: G_A^T lambda = (-R_A n, n x s), G_B^T lambda = (R_A n, p_B x R_B^T R_A n).
  void geometric_stiffness(const Frame* f, const S&, const Vec<S, m>& lambda, Mat<S, 6, 6>* K) const {
    V n = lambda[0] * normal[0];
    for (int k = 1; k < m; ++k) n += lambda[k] * normal[k];
    const V s = point_a + V(transpose_times(f[0].R, way(f)));
    const M3 n_cross = skew(n), b_cross = skew(point_b);
    const M3 turned = f[0].R * n_cross;            // R_A n~
    const M3 back = n_cross * f[0].R.transpose();  // n~ R_A^T
    const M3 b_to_a = transpose_times(f[0].R, f[1].R);
    for (int k = 0; k < 4; ++k) K[k] = Mat<S, 6, 6>::Zero();
    set_block(K[0], 0, 3, turned);
    set_block(K[0], 3, 0, M3(-back));
    set_block(K[0], 3, 3, M3(n_cross * skew(s)));
    set_block(K[1], 3, 0, back);
    const M3 mixed = -(n_cross * b_to_a * b_cross);
    set_block(K[1], 3, 3, mixed);
    set_block(K[2], 0, 3, M3(-turned));
    set_block(K[2], 3, 3, M3(mixed.transpose()));
    set_block(K[3], 3, 3, M3(b_cross * skew(V(transpose_times(b_to_a, n)))));
  }

 private:
  V way(const Frame* f) const { return f[1].point(point_b) - f[0].point(point_a); }
  V way_rate(const Frame* f) const { return f[1].point_velocity(point_b) - f[0].point_velocity(point_a); }
};

template <class S>
using OnLine = Along<S, 2>;
template <class S>
using InPlane = Along<S, 1>;

// Points in the frames of A and B [m]; the axis of the line, or the normal of the plane, in the frame of A, any length
// but zero.
inline OnLine<double> on_line(const Vec<double, 3>& point_a, const Vec<double, 3>& point_b,
                              const Vec<double, 3>& axis_a) {
  const Vec<double, 3> a = unit(axis_a), n = across(a);
  return {point_a, point_b, {n, cross(a, n)}};
}
inline InPlane<double> in_plane(const Vec<double, 3>& point_a, const Vec<double, 3>& point_b,
                                const Vec<double, 3>& normal_a) {
  return {point_a, point_b, {unit(normal_a)}};
}

}  // namespace CATENA_ISA
}  // namespace catena::rows
