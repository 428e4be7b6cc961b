// Constant torques on one body, T along world axes and U along body axes: w = (0, R^T T + U).
#pragma once
#include <catena/model/rows/parameters.hpp>

CATENA_BEGIN_DETAIL_ISA

template <class S>
struct TorqueWrench {
  static constexpr int bodies = 1, parameters = 6;
  static constexpr bool couples = false;
  using Frame = BodyFrame<S>;
  using V = Vec<S, 3>;

  Vec<S, 3> in_world, in_body;  // T and U [N m]

  template <class Io>
  static TorqueWrench load(const Io& io, const double* p) {
    return {load_vector<S>(io, p, 0), load_vector<S>(io, p, 3)};
  }
  void save(double* out) const {
    save_vector(out, in_world);
    save_vector(out + 3, in_body);
  }

  void wrench(const Frame* f, const S&, Vec<S, 6>* w) const {
    w[0] = Vec<S, 6>::Zero();
    set_block(w[0], 3, 0, V(transpose_times(f[0].R, in_world) + in_body));
  }
  void derivatives(const Frame* f, const S&, Mat<S, 6, 6>* K, Mat<S, 6, 6>* D) const {
    K[0] = Mat<S, 6, 6>::Zero();
    D[0] = Mat<S, 6, 6>::Zero();
    set_block(K[0], 3, 3, skew(V(-transpose_times(f[0].R, in_world))));
  }
  S potential(const Frame*, const S&) const { return S(0.0); }
};

CATENA_END_DETAIL_ISA
