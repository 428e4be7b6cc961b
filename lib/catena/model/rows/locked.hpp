// Two bodies keep their relative orientation. With triads S_A, S_B fixed in the bodies (orthonormal columns), A = R_A S_A,
// B = R_B S_B and (e_0, e) the unit quaternion of E = A^T B, e_0 >= 0:
//     c = 2 e [rad to first order]
// which has no second root, unlike the skew part of E, which vanishes at 180 degrees as well.
// lambda acts as a pure torque: on B, -S_B (e_0 - e~) lambda in its body axes [N m].
#pragma once
#include <catena/math/parts/level.hpp>
#include <catena/math/rotation.hpp>
#include <catena/model/rows/axes.hpp>
#include <catena/model/rows/meaning.hpp>
#include <catena/model/rows/parameters.hpp>
#include <catena/model/rows/violation.hpp>

namespace catena::rows {
inline namespace CATENA_ISA {

template <class S>
struct Locked {
  static constexpr int bodies = 2, rows = 3, parameters = 18;
  static constexpr Level level = Level::position;
  static constexpr bool couples = true;
  static constexpr bool turning_stiffness = true;
  static constexpr RowsMeaning meaning = of_orientations(RowUnit::angle, &by_turn);
  using Frame = BodyFrame<S>;
  using V = Vec<S, 3>;
  using M3 = Mat<S, 3, 3>;

  Mat<S, 3, 3> triad_a, triad_b;  // body frames

  template <class Io>
  static Locked load(const Io& io, const double* p) {
    Locked k;
    for (int e = 0; e < 9; ++e) {
      k.triad_a[e] = io.entry(p, e);
      k.triad_b[e] = io.entry(p, 9 + e);
    }
    return k;
  }
  void save(double* out) const {
    for (int e = 0; e < 9; ++e) {
      out[e] = triad_a[e];
      out[9 + e] = triad_b[e];
    }
  }

  Vec<S, 3> gap(const Frame* f, const S&) const { return S(2.0) * Turn(*this, f).e; }

  void jacobian(const Frame* f, const S&, Mat<S, 3, 6>* G) const {
    const Turn q(*this, f);
    set_point_rows(G[0], 0.0, M3(-(q.minus() * triad_a.transpose())));
    set_point_rows(G[1], 0.0, M3(q.plus() * triad_b.transpose()));
  }

  Vec<S, 3> drift(const Frame*, const S&) const { return V::Zero(); }

  Vec<S, 3> bias(const Frame* f, const S&) const {
    const Turn q(*this, f);
    const V a = transpose_times(q.E, V(transpose_times(triad_a, f[0].omega)));
    const V w = V(transpose_times(triad_b, f[1].omega)) - a;
    return q.plus() * V(cross(w, a)) - (S(0.5) * dot(w, w)) * q.e;
  }

  // c' = e_0 (w_B - w_A) + e x (w_B + w_A), w in the triads
  void rate_jacobian(const Frame* f, const S&, Mat<S, 3, 6>* N) const {
    const Turn q(*this, f);
    const V a = transpose_times(triad_a, f[0].omega), b = transpose_times(triad_b, f[1].omega);
    const M3 with_turn = S(-0.5) * (outer(V(b - a), q.e) + skew(V(b + a)) * q.plus());
    write_turning(q, with_turn, N);
  }

  void geometric_stiffness(const Frame* f, const S&, const Vec<S, 3>& lambda, Mat<S, 6, 6>* K) const {
    const Turn q(*this, f);
    const M3 swing = S(0.5) * (skew(lambda) * q.plus()), stretch = S(0.5) * outer(lambda, q.e);
    const M3 to_a = q.E.transpose() * triad_a.transpose(), to_b = triad_b.transpose();
    const M3 of_a = triad_a * (swing + stretch), of_b = triad_b * (swing - stretch);
    K[0] = turning_block(M3(-(of_a * to_a)));
    K[1] = turning_block(M3(of_a * to_b));
    K[2] = turning_block(M3(-(of_b * to_a)));
    K[3] = turning_block(M3(of_b * to_b));
  }

 private:
  // (e_0, e) of E
  struct Turn {
    M3 E;
    S e0;
    V e;
    Turn(const Locked& k, const Frame* f)
        : E(transpose_times(M3(f[0].R * k.triad_a), M3(f[1].R * k.triad_b))) {
      const Quaternion<S> long_one = quaternion_along(E);
      S scale = S(1.0) / sqrt(long_one.w * long_one.w + long_one.x * long_one.x + long_one.y * long_one.y +
                              long_one.z * long_one.z);
      scale = select_less(long_one.w, S(0.0), -scale, scale);
      e0 = scale * long_one.w;
      e = scale * long_one.vec();
    }
    M3 plus() const { return e0_identity() + skew(e); }   // e_0 + e~
    M3 minus() const { return e0_identity() - skew(e); }  // e_0 - e~
    M3 e0_identity() const { return diagonal(V{{e0, e0, e0}}); }
  };
  // Rows with respect to the turn of B against A, in the triad of B: S_B^T dtheta_B - E^T S_A^T dtheta_A.
  void write_turning(const Turn& q, const M3& rows_of_turn, Mat<S, 3, 6>* N) const {
    set_point_rows(N[0], 0.0, M3(-(rows_of_turn * (q.E.transpose() * triad_a.transpose()))));
    set_point_rows(N[1], 0.0, M3(rows_of_turn * triad_b.transpose()));
  }
};

// A triad from an axis (its z) and a direction across it (its x); any lengths but zero; a side of zero: some direction.
inline Mat<double, 3, 3> triad(const Vec<double, 3>& axis, const Vec<double, 3>& side) {
  const Vec<double, 3> z = unit(axis), x = side_across(z, side), y = cross(z, x);
  return {{x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]}};
}

// The triads coincide: columns in the frames of A and B.
inline Locked<double> locked(const Mat<double, 3, 3>& triad_a, const Mat<double, 3, 3>& triad_b) {
  return {triad_a, triad_b};
}

}  // namespace CATENA_ISA
}  // namespace catena::rows
