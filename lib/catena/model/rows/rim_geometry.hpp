// The lowest point of the rim of a thin disc above a plane, and how it moves. In the body frame: N the normal of
// the plane (turned back by R^T), e the axis of the disc, and
//
//     s = |N - (N.e) e|,   delta = -(N - (N.e) e) / s        the direction from the centre down to the rim,
//     arm = centre + r delta                                 the material point in contact,
//     a = e x delta, b = a x N                               d(delta) = -(a/s) b . dtheta.
//
// The velocity of the contact point along a direction u fixed in the world is u.v + (arm x U).omega, U = R^T u:
// one row of a joint on the rim. Singular where the disc lies flat, s = 0:
// NaN below `flat`, where the errors of arithmetic choose delta.
#pragma once
#include <catena/model/rows/parameters.hpp>

namespace catena::rows {
inline namespace CATENA_ISA {

template <class S>
struct ThinDisc {
  static constexpr int parameters = 7;
  static constexpr double flat = 0x1p-49;
  using V = Vec<S, 3>;
  using Frame = BodyFrame<S>;

  V centre;  // of the disc, body frame [m]
  V axis;    // of the disc, body frame, of unit length
  S radius;  // [m]

  template <class Io>
  static ThinDisc load(const Io& io, const double* p) {
    return {load_vector<S>(io, p, 0), load_vector<S>(io, p, 3), io.entry(p, 6)};
  }
  void save(double* out) const {
    save_vector(out, centre);
    save_vector(out + 3, axis);
    out[6] = radius;
  }
};

template <class S>
struct RimContact {
  using V = Vec<S, 3>;

  V arm, a, b;
  S s, ratio;  // ratio = r / s

  // normal: of the plane, in the body frame
  RimContact(const ThinDisc<S>& rim, const V& normal) {
    const V across = normal - V(dot(normal, rim.axis) * rim.axis);
    s = norm(across);
    s = select_less(s, S(ThinDisc<S>::flat), S(__builtin_nan("")), s);
    const V delta = (S(-1.0) / s) * across;
    arm = rim.centre + rim.radius * delta;
    a = cross(rim.axis, delta);
    b = cross(a, normal);
    ratio = rim.radius / s;
  }

  // Of the row along U: columns of omega, and their change with dtheta and with the body's turning.
  V moment(const V& U) const { return cross(arm, U); }
  V turning(const V& U, const V& omega) const {
    return cross(cross(omega, arm), U) - V((ratio * dot(a, cross(U, omega))) * b);
  }
  // d(arm x U)/dtheta
  Mat<S, 3, 3> stiffness(const V& U) const { return skew(arm) * skew(U) - outer(V(ratio * cross(a, U)), b); }
};

}  // namespace CATENA_ISA
}  // namespace catena::rows
