// Constant forces at a point of one body, F along world axes and H along body axes: w = (F + R H, p x (R^T F + H)).
#pragma once
#include <catena/model/rows/parameters.hpp>

CATENA_BEGIN_DETAIL_ISA

template <class S>
struct PointForceWrench {
  static constexpr int bodies = 1, parameters = 9;
  static constexpr bool couples = false;
  using Frame = BodyFrame<S>;
  using V = Vec<S, 3>;

  Vec<S, 3> point;              // body frame [m]
  Vec<S, 3> in_world, in_body;  // F and H [N]

  template <class Io>
  static PointForceWrench load(const Io& io, const double* p) {
    return {load_vector<S>(io, p, 0), load_vector<S>(io, p, 3), load_vector<S>(io, p, 6)};
  }
  void save(double* out) const {
    save_vector(out, point);
    save_vector(out + 3, in_world);
    save_vector(out + 6, in_body);
  }

  void wrench(const Frame* f, const S&, Vec<S, 6>* w) const {
    set_block(w[0], 0, 0, V(in_world + f[0].R * in_body));
    set_block(w[0], 3, 0, cross(point, V(transpose_times(f[0].R, in_world) + in_body)));
  }
  void derivatives(const Frame* f, const S&, Mat<S, 6, 6>* K, Mat<S, 6, 6>* D) const {
    K[0] = Mat<S, 6, 6>::Zero();
    D[0] = Mat<S, 6, 6>::Zero();
    set_block(K[0], 0, 3, Mat<S, 3, 3>(f[0].R * skew(in_body)));
    set_block(K[0], 3, 3, Mat<S, 3, 3>(skew(V(-point)) * skew(V(transpose_times(f[0].R, in_world)))));
  }
  // A force constant in the world is a gradient; one that turns with the body is not.
  S potential(const Frame* f, const S&) const { return -dot(in_world, f[0].point(point)); }
};

CATENA_END_DETAIL_ISA
