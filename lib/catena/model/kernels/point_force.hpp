// A constant force at a point of one body: w = (F, p x R^T F) for F in world axes, (R F, p x F) in body axes.
#pragma once
#include <catena/model/kernels/parameters.hpp>

CATENA_BEGIN_ISA

template <class S>
struct PointForceKernel {
  static constexpr int bodies = 1;
  static constexpr bool couples = false;
  using Frame = BodyFrame<S>;
  using V = Vec<S, 3>;

  Vec<S, 3> point, force;
  bool in_body_axes;

  void wrench(const Frame* f, const S&, Vec<S, 6>* w) const {
    const V world = in_body_axes ? V(f[0].R * force) : force;
    const V torque = cross(point, in_body_axes ? force : V(transpose_times(f[0].R, force)));
    set_block(w[0], 0, 0, world);
    set_block(w[0], 3, 0, torque);
  }
  void derivatives(const Frame* f, const S&, Mat<S, 6, 6>* K, Mat<S, 6, 6>* D) const {
    K[0] = Mat<S, 6, 6>::Zero();
    D[0] = Mat<S, 6, 6>::Zero();
    if (in_body_axes)
      set_block(K[0], 0, 3, Mat<S, 3, 3>(f[0].R * skew(force)));
    else
      set_block(K[0], 3, 3, Mat<S, 3, 3>(skew(V(-point)) * skew(V(transpose_times(f[0].R, force)))));
  }
  // A force constant in the world is a gradient; one that turns with the body is not.
  S potential(const Frame* f, const S&) const {
    return in_body_axes ? S(0.0) : -dot(force, f[0].point(point));
  }
};

CATENA_END_ISA
