// Two bodies share a point and an axis. Rows 0 ... 2: the points coincide, as in the spherical joint
// (world frame [m]); rows 3, 4: the axis of B is normal to two directions of A,
//     h_k = (R_A b_k) . (R_B a),   b_1, b_2 an orthonormal pair normal to the axis in A, a the axis in B
// [rad to first order]. The torque on body A is that of -G_A^T lambda: -(b_k x R_A^T R_B a) lambda_k in body
// axes, a bending moment [N m].
#pragma once
#include <catena/model/kernels/spherical.hpp>

CATENA_BEGIN_ISA

template <class S>
struct RevoluteKernel {
  static constexpr int bodies = 2, rows = 5, parameters = 15;
  static constexpr Level level = Level::position;
  static constexpr bool couples = true;
  static constexpr bool turning_stiffness = true;
  static constexpr bool relative_positions = true;
  using Frame = BodyFrame<S>;
  using V = Vec<S, 3>;
  using M3 = Mat<S, 3, 3>;

  SphericalKernel<S> ball;
  Vec<S, 3> normal[2];  // frame of A
  Vec<S, 3> axis;       // frame of B

  template <class Io>
  static RevoluteKernel load(const Io& io, const double* p) {
    return {SphericalKernel<S>::load(io, p),
            {load_vector<S>(io, p, 6), load_vector<S>(io, p, 9)},
            load_vector<S>(io, p, 12)};
  }
  void save(double* out) const {
    ball.save(out);
    save_vector(out + 6, normal[0]);
    save_vector(out + 9, normal[1]);
    save_vector(out + 12, axis);
  }

  Vec<S, 5> gap(const Frame* f, const S& t) const {
    const V g = ball.gap(f, t);
    const V in_a = axis_in_a(f);
    return {{g[0], g[1], g[2], dot(normal[0], in_a), dot(normal[1], in_a)}};
  }

  void jacobian(const Frame* f, const S& t, Mat<S, 5, 6>* G) const {
    Mat<S, 3, 6> point[2];
    ball.jacobian(f, t, point);
    const V in_a = axis_in_a(f);
    for (int i = 0; i < 2; ++i) set_block(G[i], 0, 0, point[i]);
    for (int k = 0; k < 2; ++k) {
      set_turning_row(G[0], 3 + k, V(cross(normal[k], in_a)));
      set_turning_row(G[1], 3 + k, V(cross(axis, a_to_b(f, normal[k]))));
    }
  }

  Vec<S, 5> drift(const Frame*, const S&) const { return Vec<S, 5>::Zero(); }

  Vec<S, 5> bias(const Frame* f, const S& t) const {
    const V g = ball.bias(f, t);
    const V &wa = f[0].omega, &wb = f[1].omega;
    // c = R_A^T R_B a and its rates with the turning of B alone
    const V c = axis_in_a(f);
    const V c1 = b_to_a(f, V(cross(wb, axis)));
    const V c2 = b_to_a(f, V(cross(wb, V(cross(wb, axis)))));
    Vec<S, 5> r{{g[0], g[1], g[2], S(0.0), S(0.0)}};
    for (int k = 0; k < 2; ++k) {
      const V b1 = cross(wa, normal[k]);
      r[3 + k] = dot(V(cross(wa, b1)), c) + S(2.0) * dot(b1, c1) + dot(normal[k], c2);
    }
    return r;
  }

  void rate_jacobian(const Frame* f, const S& t, Mat<S, 5, 6>* N) const {
    Mat<S, 3, 6> point[2];
    ball.rate_jacobian(f, t, point);
    for (int i = 0; i < 2; ++i) set_block(N[i], 0, 0, point[i]);
    const V axis_rate = cross(f[1].omega, axis);
    const V c = axis_in_a(f), c1 = b_to_a(f, axis_rate);
    for (int k = 0; k < 2; ++k) {
      const V rate = cross(f[0].omega, normal[k]);
      set_turning_row(N[0], 3 + k, V(cross(rate, c) + cross(normal[k], c1)));
      set_turning_row(N[1], 3 + k, V(cross(axis, a_to_b(f, rate)) + cross(axis_rate, a_to_b(f, normal[k]))));
    }
  }

  // With b = sum lambda_k b_k: G_A^T lambda turns with b x c, G_B^T lambda with a x (R_B^T R_A b).
  void geometric_stiffness(const Frame* f, const S& t, const Vec<S, 5>& lambda, Mat<S, 6, 6>* K) const {
    ball.geometric_stiffness(f, t, V{{lambda[0], lambda[1], lambda[2]}}, K);
    const V b = lambda[3] * normal[0] + lambda[4] * normal[1];
    const M3 b_cross = skew(b), a_cross = skew(axis);
    const M3 b_to_a_matrix = transpose_times(f[0].R, f[1].R);
    const V c = b_to_a_matrix * axis;
    const M3 in_a = b_cross * skew(c);
    const M3 in_b = a_cross * skew(V(transpose_times(b_to_a_matrix, b)));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        K[0](3 + i, 3 + j) = K[0](3 + i, 3 + j) + in_a(i, j);
        K[3](3 + i, 3 + j) = K[3](3 + i, 3 + j) + in_b(i, j);
      }
    const M3 mixed = -(b_cross * b_to_a_matrix * a_cross);
    set_block(K[1], 3, 3, mixed);
    set_block(K[2], 3, 3, M3(mixed.transpose()));
  }

 private:
  static V b_to_a(const Frame* f, const V& u) { return transpose_times(f[0].R, V(f[1].R * u)); }
  static V a_to_b(const Frame* f, const V& u) { return transpose_times(f[1].R, V(f[0].R * u)); }
  V axis_in_a(const Frame* f) const { return b_to_a(f, axis); }
  static void set_turning_row(Mat<S, 5, 6>& m, int row, const V& u) {
    for (int c = 0; c < 3; ++c) {
      m(row, c) = S(0.0);
      m(row, 3 + c) = u[c];
    }
  }
};

CATENA_END_ISA
