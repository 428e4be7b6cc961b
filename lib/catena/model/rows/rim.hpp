// The rim of a thin disc touches a plane: g = height of its lowest point [m] (rows/rim_geometry.hpp).
// The multiplier is minus the force of the plane on the disc along the normal [N]: negative where it presses.
#pragma once
#include <catena/math/parts/level.hpp>
#include <catena/model/rows/meaning.hpp>
#include <catena/model/rows/rim_geometry.hpp>
#include <catena/model/rows/violation.hpp>

namespace catena::rows {
inline namespace CATENA_ISA {

template <class S>
struct Rim {
  static constexpr int bodies = 1, rows = 1, parameters = ThinDisc<S>::parameters + 4;
  static constexpr Level level = Level::position;
  static constexpr bool couples = false;
  static constexpr bool turning_stiffness = true;
  static constexpr RowsMeaning meaning{.unit = RowUnit::length,
                                       .positions = PositionUse::world,
                                       .violation = &by_length<1>,
                                       .violation_unit = "m"};
  using Frame = BodyFrame<S>;
  using V = Vec<S, 3>;

  ThinDisc<S> rim;
  V normal;  // of the plane, world axes, of unit length
  S offset;  // of the plane along its normal [m]

  template <class Io>
  static Rim load(const Io& io, const double* p) {
    constexpr int n = ThinDisc<S>::parameters;
    return {ThinDisc<S>::load(io, p), load_vector<S>(io, p, n), io.entry(p, n + 3)};
  }
  void save(double* out) const {
    rim.save(out);
    save_vector(out + ThinDisc<S>::parameters, normal);
    out[ThinDisc<S>::parameters + 3] = offset;
  }

  Vec<S, 1> gap(const Frame* f, const S&) const {
    const V N = transpose_times(f[0].R, normal);
    return {{dot(normal, f[0].x) - offset + dot(N, RimContact<S>(rim, N).arm)}};
  }
  void jacobian(const Frame* f, const S&, Mat<S, 1, 6>* G) const {
    const V N = transpose_times(f[0].R, normal), m = RimContact<S>(rim, N).moment(N);
    G[0] = {{normal[0], normal[1], normal[2], m[0], m[1], m[2]}};
  }
  Vec<S, 1> drift(const Frame*, const S&) const { return Vec<S, 1>::Zero(); }
  Vec<S, 1> bias(const Frame* f, const S&) const { return {{dot(f[0].omega, turning(f[0]))}}; }
  void rate_jacobian(const Frame* f, const S&, Mat<S, 1, 6>* N) const {
    const V n = turning(f[0]);
    const S o(0.0);
    N[0] = {{o, o, o, n[0], n[1], n[2]}};
  }
  void geometric_stiffness(const Frame* f, const S&, const Vec<S, 1>& lambda, Mat<S, 6, 6>* K) const {
    const V N = transpose_times(f[0].R, normal);
    K[0] = turning_block(Mat<S, 3, 3>(RimContact<S>(rim, N).stiffness(V(lambda[0] * N))));
  }

 private:
  V turning(const Frame& f) const {
    const V N = transpose_times(f.R, normal);
    return RimContact<S>(rim, N).turning(N, f.omega);
  }
};

// Centre [m] and axis of the disc in the body frame, radius [m]; normal of the plane in world axes, offset of the plane
// along its unit normal [m]. Axis and normal have any length but zero.
inline Rim<double> rim(const Vec<double, 3>& centre, const Vec<double, 3>& axis, double radius,
                       const Vec<double, 3>& plane_point, const Vec<double, 3>& normal) {
  const Vec<double, 3> n = (1.0 / norm(normal)) * normal;
  return {{centre, (1.0 / norm(axis)) * axis, radius}, n, dot(n, plane_point)};
}

}  // namespace CATENA_ISA
}  // namespace catena::rows
