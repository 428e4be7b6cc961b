// Constant torques on one body, T along world axes and U along body axes: w = (0, R^T T + U).
#pragma once
#include <catena/model/detail/applied_vector.hpp>

CATENA_BEGIN_DETAIL_ISA

template <class S>
struct TorqueWrench {
  static constexpr int bodies = 1, parameters = AppliedVector<S>::parameters;
  static constexpr bool couples = false;
  using Frame = BodyFrame<S>;
  using V = Vec<S, 3>;

  AppliedVector<S> torque;  // T and U [N m]

  template <class Io>
  static TorqueWrench load(const Io& io, const double* p) {
    return {AppliedVector<S>::load(io, p, 0)};
  }
  void save(double* out) const { torque.save(out); }

  void wrench(const Frame* f, const S&, Vec<S, 6>* w) const {
    w[0] = Vec<S, 6>::Zero();
    set_block(w[0], 3, 0, torque.along_body(f[0]));
  }
  void derivatives(const Frame* f, const S&, Mat<S, 6, 6>* K, Mat<S, 6, 6>* D) const {
    K[0] = Mat<S, 6, 6>::Zero();
    D[0] = Mat<S, 6, 6>::Zero();
    set_block(K[0], 3, 3, skew(V(-torque.turned_back(f[0]))));
  }
  S power(const Frame* f, const S&) const { return dot(torque.along_body(f[0]), f[0].omega); }
  S potential(const Frame*, const S&) const { return S(0.0); }
};

CATENA_END_DETAIL_ISA
