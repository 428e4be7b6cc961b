// A blade: a point of the body moves along the blade but not sideways, u . v_p = 0 with u = R side a direction
// fixed in the body and v_p = v + R (omega x p) the velocity of the point [m/s].
// The multiplier is minus the force on the body along u [N]; it acts at the point.
#pragma once
#include <catena/math/parts/level.hpp>
#include <catena/model/rows/meaning.hpp>
#include <catena/model/rows/parameters.hpp>
#include <catena/model/rows/violation.hpp>

namespace catena::rows {
inline namespace CATENA_ISA {

template <class S>
struct Blade {
  static constexpr int bodies = 1, rows = 1, parameters = 6;
  static constexpr Level level = Level::velocity;
  static constexpr bool couples = false;
  static constexpr RowsMeaning meaning{.unit = RowUnit::speed,
                                       .positions = PositionUse::none,
                                       .points = 1,
                                       .violation = &by_length<1>,
                                       .violation_unit = "m/s"};
  using Frame = BodyFrame<S>;

  Vec<S, 3> point;  // body frame [m]
  Vec<S, 3> side;   // body frame, of unit length

  template <class Io>
  static Blade load(const Io& io, const double* p) {
    return {load_vector<S>(io, p, 0), load_vector<S>(io, p, 3)};
  }
  void save(double* out) const {
    save_vector(out, point);
    save_vector(out + 3, side);
  }

  Vec<S, 1> rate(const Frame* f, const S&) const {
    return {{dot(f[0].direction(side), f[0].v) + dot(f[0].omega, cross(point, side))}};
  }
  void jacobian(const Frame* f, const S&, Mat<S, 1, 6>* A) const {
    const Vec<S, 3> u = f[0].direction(side), moment = cross(point, side);
    A[0] = {{u[0], u[1], u[2], moment[0], moment[1], moment[2]}};
  }
  // u turns with the body: d(u . v) = (side x R^T v) . dtheta
  Vec<S, 1> bias(const Frame* f, const S&) const { return {{dot(f[0].omega, turning(f[0]))}}; }
  void rate_jacobian(const Frame* f, const S&, Mat<S, 1, 6>* N) const {
    const Vec<S, 3> n = turning(f[0]);
    const S o(0.0);
    N[0] = {{o, o, o, n[0], n[1], n[2]}};
  }
  void geometric_stiffness(const Frame* f, const S&, const Vec<S, 1>& lambda, Mat<S, 6, 6>* K) const {
    K[0] = Mat<S, 6, 6>::Zero();
    set_block(K[0], 0, 3, Mat<S, 3, 3>(f[0].R * skew(Vec<S, 3>(-lambda[0] * side))));
  }

 private:
  Vec<S, 3> turning(const Frame& f) const { return cross(side, transpose_times(f.R, f.v)); }
};

// Point in the body frame [m]; side: across the blade, body frame, any length but zero.
inline Blade<double> blade(const Vec<double, 3>& point, const Vec<double, 3>& side) {
  return {point, (1.0 / norm(side)) * side};
}

}  // namespace CATENA_ISA
}  // namespace catena::rows
