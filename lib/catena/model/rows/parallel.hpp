// An axis of B stays normal to m directions of A:
//     h_k = (R_A n_k) . (R_B a),   n_k in the frame of A, a in that of B, all of unit length
// the sine of the angle by which the axis is off [rad to first order]. m = 2, n_1 and n_2 across an axis of A: the axes
// are parallel. m = 1: the two directions are perpendicular (a universal joint).
// The torque on A is -G_A^T lambda = -(n_k x R_A^T R_B a) lambda_k in its body axes, a bending moment [N m].
#pragma once
#include <catena/math/parts/level.hpp>
#include <catena/model/rows/axes.hpp>
#include <catena/model/rows/meaning.hpp>
#include <catena/model/rows/parameters.hpp>
#include <catena/model/rows/violation.hpp>

namespace catena::rows {
inline namespace CATENA_ISA {

template <class S, int m>
struct Normal {
  static constexpr int bodies = 2, rows = m, parameters = 3 * m + 3;
  static constexpr Level level = Level::position;
  static constexpr bool couples = true;
  static constexpr bool turning_stiffness = true;
  static constexpr RowsMeaning meaning = of_orientations(RowUnit::sine, &by_sine<m>);
  using Frame = BodyFrame<S>;
  using V = Vec<S, 3>;
  using M3 = Mat<S, 3, 3>;

  Vec<S, 3> normal[m];  // frame of A
  Vec<S, 3> axis;       // frame of B

  template <class Io>
  static Normal load(const Io& io, const double* p) {
    Normal k;
    for (int i = 0; i < m; ++i) k.normal[i] = load_vector<S>(io, p, 3 * i);
    k.axis = load_vector<S>(io, p, 3 * m);
    return k;
  }
  void save(double* out) const {
    for (int i = 0; i < m; ++i) save_vector(out + 3 * i, normal[i]);
    save_vector(out + 3 * m, axis);
  }

  Vec<S, m> gap(const Frame* f, const S&) const {
    const V in_a = axis_in_a(f);
    Vec<S, m> r;
    for (int k = 0; k < m; ++k) r[k] = dot(normal[k], in_a);
    return r;
  }

  void jacobian(const Frame* f, const S&, Mat<S, m, 6>* G) const {
    const V in_a = axis_in_a(f);
    for (int k = 0; k < m; ++k) {
      set_turning_row(G[0], k, V(cross(normal[k], in_a)));
      set_turning_row(G[1], k, V(cross(axis, a_to_b(f, normal[k]))));
    }
  }

  Vec<S, m> drift(const Frame*, const S&) const { return Vec<S, m>::Zero(); }

  Vec<S, m> bias(const Frame* f, const S&) const {
    const V &wa = f[0].omega, &wb = f[1].omega;
    // c = R_A^T R_B a and its rates with the turning of B alone
    const V c = axis_in_a(f);
    const V c1 = b_to_a(f, V(cross(wb, axis)));
    const V c2 = b_to_a(f, V(cross(wb, V(cross(wb, axis)))));
    Vec<S, m> r;
    for (int k = 0; k < m; ++k) {
      const V n1 = cross(wa, normal[k]);
      r[k] = dot(V(cross(wa, n1)), c) + S(2.0) * dot(n1, c1) + dot(normal[k], c2);
    }
    return r;
  }

  void rate_jacobian(const Frame* f, const S&, Mat<S, m, 6>* N) const {
    const V axis_rate = cross(f[1].omega, axis);
    const V c = axis_in_a(f), c1 = b_to_a(f, axis_rate);
    for (int k = 0; k < m; ++k) {
      const V rate = cross(f[0].omega, normal[k]);
      set_turning_row(N[0], k, V(cross(rate, c) + cross(normal[k], c1)));
      set_turning_row(N[1], k, V(cross(axis, a_to_b(f, rate)) + cross(axis_rate, a_to_b(f, normal[k]))));
    }
  }

  // With n = sum lambda_k n_k: G_A^T lambda turns with n x c, G_B^T lambda with a x (R_B^T R_A n).
  void turning(const Frame* f, const S&, const Vec<S, m>& lambda, M3* K) const {
    V n = lambda[0] * normal[0];
    for (int k = 1; k < m; ++k) n += lambda[k] * normal[k];
    const M3 b_to_a_matrix = transpose_times(f[0].R, f[1].R);
    K[0] = skew_times_skew(n, V(b_to_a_matrix * axis));
    K[3] = skew_times_skew(axis, V(transpose_times(b_to_a_matrix, n)));
    K[1] = -times_skew(M3(skew(n) * b_to_a_matrix), axis);
    K[2] = K[1].transpose();
  }
  void geometric_stiffness(const Frame* f, const S& t, const Vec<S, m>& lambda, Mat<S, 6, 6>* K) const {
    of_turning(*this, f, t, lambda, K);
  }

 private:
  static V b_to_a(const Frame* f, const V& u) { return transpose_times(f[0].R, V(f[1].R * u)); }
  static V a_to_b(const Frame* f, const V& u) { return transpose_times(f[1].R, V(f[0].R * u)); }
  V axis_in_a(const Frame* f) const { return b_to_a(f, axis); }
};

template <class S>
using Parallel = Normal<S, 2>;
template <class S>
using Perpendicular = Normal<S, 1>;

// Axes in the frames of A and B, any length but zero.
inline Parallel<double> parallel(const Vec<double, 3>& axis_a, const Vec<double, 3>& axis_b) {
  const Vec<double, 3> a = unit(axis_a), n = across(a);
  return {{n, cross(a, n)}, unit(axis_b)};
}
inline Perpendicular<double> perpendicular(const Vec<double, 3>& axis_a, const Vec<double, 3>& axis_b) {
  return {{unit(axis_a)}, unit(axis_b)};
}

}  // namespace CATENA_ISA
}  // namespace catena::rows
