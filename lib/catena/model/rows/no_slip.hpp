// The lowest point of the rim of a thin disc does not slip on a plane: its velocity along two fixed directions
// t_1, t_2 of the plane vanishes [m/s] (rows/rim_geometry.hpp).
// The multipliers are minus the force of the plane on the disc along t_1 and t_2 [N].
#pragma once
#include <catena/math/parts/level.hpp>
#include <catena/model/rows/meaning.hpp>
#include <catena/model/rows/rim_geometry.hpp>
#include <catena/model/rows/violation.hpp>

namespace catena::rows {
inline namespace CATENA_ISA {

template <class S>
struct NoSlip {
  static constexpr int bodies = 1, rows = 2, parameters = ThinDisc<S>::parameters + 6;
  static constexpr Level level = Level::velocity;
  static constexpr bool couples = false;
  static constexpr bool turning_stiffness = true;
  static constexpr RowsMeaning meaning{.unit = RowUnit::speed,
                                       .positions = PositionUse::none,
                                       .violation = &by_length<2>,
                                       .violation_unit = "m/s"};
  using Frame = BodyFrame<S>;
  using V = Vec<S, 3>;

  ThinDisc<S> rim;
  V tangent[2];  // world axes; normal = t_1 x t_2

  template <class Io>
  static NoSlip load(const Io& io, const double* p) {
    constexpr int n = ThinDisc<S>::parameters;
    return {ThinDisc<S>::load(io, p), {load_vector<S>(io, p, n), load_vector<S>(io, p, n + 3)}};
  }
  void save(double* out) const {
    rim.save(out);
    for (int k = 0; k < 2; ++k) save_vector(out + ThinDisc<S>::parameters + 3 * k, tangent[k]);
  }

  Vec<S, 2> rate(const Frame* f, const S&) const {
    const Seen seen(*this, f[0]);
    Vec<S, 2> r;
    for (int k = 0; k < 2; ++k)
      r[k] = dot(tangent[k], f[0].v) + dot(f[0].omega, seen.contact.moment(seen.T[k]));
    return r;
  }
  void jacobian(const Frame* f, const S&, Mat<S, 2, 6>* A) const {
    const Seen seen(*this, f[0]);
    for (int k = 0; k < 2; ++k) set_motion_row(A[0], k, tangent[k], seen.contact.moment(seen.T[k]));
  }
  Vec<S, 2> bias(const Frame* f, const S&) const {
    const Seen seen(*this, f[0]);
    Vec<S, 2> r;
    for (int k = 0; k < 2; ++k) r[k] = dot(f[0].omega, seen.contact.turning(seen.T[k], f[0].omega));
    return r;
  }
  void rate_jacobian(const Frame* f, const S&, Mat<S, 2, 6>* N) const {
    const Seen seen(*this, f[0]);
    for (int k = 0; k < 2; ++k) set_turning_row(N[0], k, seen.contact.turning(seen.T[k], f[0].omega));
  }
  void geometric_stiffness(const Frame* f, const S&, const Vec<S, 2>& lambda, Mat<S, 6, 6>* K) const {
    const Seen seen(*this, f[0]);
    K[0] = turning_block(
        Mat<S, 3, 3>(seen.contact.stiffness(V(lambda[0] * seen.T[0]) + V(lambda[1] * seen.T[1]))));
  }

 private:
  // The plane in the body frame.
  struct Seen {
    V T[2];
    RimContact<S> contact;
    Seen(const NoSlip& k, const Frame& f)
        : T{transpose_times(f.R, k.tangent[0]), transpose_times(f.R, k.tangent[1])},
          contact(k.rim, cross(T[0], T[1])) {}
  };
};

// Centre [m] and axis of the disc in the body frame, radius [m]; two directions of the plane at right angles, world
// axes, of unit length. The axis has any length but zero.
inline NoSlip<double> no_slip(const Vec<double, 3>& centre, const Vec<double, 3>& axis, double radius,
                              const Vec<double, 3>& tangent_1, const Vec<double, 3>& tangent_2) {
  return {{centre, (1.0 / norm(axis)) * axis, radius}, {tangent_1, tangent_2}};
}

}  // namespace CATENA_ISA
}  // namespace catena::rows
