// Constant forces at a point of one body, F along world axes and H along body axes: w = (F + R H, p x (R^T F + H)).
#pragma once
#include <catena/model/detail/applied_vector.hpp>

CATENA_BEGIN_DETAIL_ISA

template <class S>
struct PointForceWrench {
  static constexpr int bodies = 1, parameters = 3 + AppliedVector<S>::parameters;
  static constexpr bool couples = false;
  using Frame = BodyFrame<S>;
  using V = Vec<S, 3>;

  V point;                 // body frame [m]
  AppliedVector<S> force;  // F and H [N]

  template <class Io>
  static PointForceWrench load(const Io& io, const double* p) {
    return {load_vector<S>(io, p, 0), AppliedVector<S>::load(io, p, 3)};
  }
  void save(double* out) const {
    save_vector(out, point);
    force.save(out + 3);
  }

  void wrench(const Frame* f, const S&, Vec<S, 6>* w) const {
    set_block(w[0], 0, 0, force.along_world(f[0]));
    set_block(w[0], 3, 0, cross(point, force.along_body(f[0])));
  }
  void derivatives(const Frame* f, const S&, Mat<S, 6, 6>* K, Mat<S, 6, 6>* D) const {
    K[0] = Mat<S, 6, 6>::Zero();
    D[0] = Mat<S, 6, 6>::Zero();
    set_block(K[0], 0, 3, Mat<S, 3, 3>(f[0].R * skew(force.in_body)));
    set_block(K[0], 3, 3, Mat<S, 3, 3>(skew(V(-point)) * skew(force.turned_back(f[0]))));
  }
  S power(const Frame* f, const S&) const {
    return dot(V(f[0].R * force.in_body), f[0].point_velocity(point));
  }
  // A force constant in the world is a gradient; one that turns with the body is not.
  S potential(const Frame* f, const S&) const { return -dot(force.in_world, f[0].point(point)); }
};

CATENA_END_DETAIL_ISA
