// A constant torque on one body: w = (0, R^T tau) for tau in world axes, (0, tau) in body axes.
#pragma once
#include <catena/model/kernels/parameters.hpp>

CATENA_BEGIN_ISA

template <class S>
struct TorqueKernel {
  static constexpr int bodies = 1;
  static constexpr bool couples = false;
  using Frame = BodyFrame<S>;
  using V = Vec<S, 3>;

  Vec<S, 3> torque;
  bool in_body_axes;

  void wrench(const Frame* f, const S&, Vec<S, 6>* w) const {
    w[0] = Vec<S, 6>::Zero();
    set_block(w[0], 3, 0, in_body_axes ? torque : V(transpose_times(f[0].R, torque)));
  }
  void derivatives(const Frame* f, const S&, Mat<S, 6, 6>* K, Mat<S, 6, 6>* D) const {
    K[0] = Mat<S, 6, 6>::Zero();
    D[0] = Mat<S, 6, 6>::Zero();
    if (!in_body_axes) set_block(K[0], 3, 3, skew(V(-transpose_times(f[0].R, torque))));
  }
  S potential(const Frame*, const S&) const { return S(0.0); }
};

CATENA_END_ISA
