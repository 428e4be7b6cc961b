// Two body points coincide: g = (x_B + R_B p_B) - (x_A + R_A p_A), world frame [m].
// The multiplier is the force on body A in world axes [N]; the force on body B is -lambda.
#pragma once
#include <catena/math/parts/level.hpp>
#include <catena/model/rows/meaning.hpp>
#include <catena/model/rows/parameters.hpp>
#include <catena/model/rows/violation.hpp>

namespace catena::rows {
inline namespace CATENA_ISA {

template <class S>
struct Coincide {
  static constexpr int bodies = 2, rows = 3, parameters = 6;
  static constexpr Level level = Level::position;
  static constexpr bool couples = false;
  static constexpr bool turning_stiffness = true;
  static constexpr RowsMeaning meaning{.unit = RowUnit::length,
                                       .positions = PositionUse::difference,
                                       .points = 2,
                                       .opposite = Opposite::at_own_point,
                                       .multiplier_is_force = true,
                                       .violation = &by_length<3>,
                                       .violation_unit = "m"};
  using Frame = BodyFrame<S>;

  Vec<S, 3> point_a, point_b;  // body frames [m]

  template <class Io>
  static Coincide load(const Io& io, const double* p) {
    return {load_vector<S>(io, p, 0), load_vector<S>(io, p, 3)};
  }
  void save(double* out) const {
    save_vector(out, point_a);
    save_vector(out + 3, point_b);
  }

  Vec<S, 3> gap(const Frame* f, const S&) const { return f[1].point(point_b) - f[0].point(point_a); }

  void jacobian(const Frame* f, const S&, Mat<S, 3, 6>* G) const {
    set_point_rows(G[0], -1.0, times_skew(f[0].R, point_a));
    set_point_rows(G[1], 1.0, times_skew(f[1].R, Vec<S, 3>(-point_b)));
  }
  Vec<S, 3> drift(const Frame*, const S&) const { return Vec<S, 3>::Zero(); }
  // R Omega~ Omega~ p of both points
  Vec<S, 3> bias(const Frame* f, const S&) const {
    return f[1].R * cross(f[1].omega, cross(f[1].omega, point_b)) -
           f[0].R * cross(f[0].omega, cross(f[0].omega, point_a));
  }
  // d(R (Omega x p))/dtheta = -R (Omega x p)~
  void rate_jacobian(const Frame* f, const S&, Mat<S, 3, 6>* N) const {
    set_point_rows(N[0], 0.0, times_skew(f[0].R, cross(f[0].omega, point_a)));
    set_point_rows(N[1], 0.0, times_skew(f[1].R, cross(point_b, f[1].omega)));
  }
  // G_B^T lambda turns with p_B x (R_B^T lambda); its derivative is p_B~ (R_B^T lambda)~
  void turning(const Frame* f, const S&, const Vec<S, 3>& lambda, Mat<S, 3, 3>* K) const {
    K[0] = skew_times_skew(Vec<S, 3>(-point_a), transpose_times(f[0].R, lambda));
    K[3] = skew_times_skew(point_b, transpose_times(f[1].R, lambda));
  }
  void geometric_stiffness(const Frame* f, const S& t, const Vec<S, 3>& lambda, Mat<S, 6, 6>* K) const {
    of_turning(*this, f, t, lambda, K);
  }
};

// Points in the frames of A and B [m].
inline Coincide<double> coincide(const Vec<double, 3>& point_a, const Vec<double, 3>& point_b) {
  return {point_a, point_b};
}

}  // namespace CATENA_ISA
}  // namespace catena::rows
