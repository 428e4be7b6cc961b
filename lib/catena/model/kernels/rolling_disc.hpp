// The lowest point of the rim of a thin disc does not slip on a plane: its velocity along two fixed directions
// t_1, t_2 of the plane vanishes [m/s] (kernels/rim.hpp).
// The multipliers are minus the force of the plane on the disc along t_1 and t_2 [N].
#pragma once
#include <catena/math/level.hpp>
#include <catena/model/kernels/rim.hpp>

CATENA_BEGIN_ISA

template <class S>
struct RollingDiscKernel {
  static constexpr int bodies = 1, rows = 2, parameters = Rim<S>::parameters + 6;
  static constexpr Level level = Level::velocity;
  static constexpr bool couples = false;
  static constexpr bool turning_stiffness = true;
  using Frame = BodyFrame<S>;
  using V = Vec<S, 3>;

  Rim<S> rim;
  V tangent[2];  // world axes; normal = t_1 x t_2

  template <class Io>
  static RollingDiscKernel load(const Io& io, const double* p) {
    constexpr int n = Rim<S>::parameters;
    return {Rim<S>::load(io, p), {load_vector<S>(io, p, n), load_vector<S>(io, p, n + 3)}};
  }
  void save(double* out) const {
    rim.save(out);
    for (int k = 0; k < 2; ++k) save_vector(out + Rim<S>::parameters + 3 * k, tangent[k]);
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
    for (int k = 0; k < 2; ++k) set_row(A[0], k, tangent[k], seen.contact.moment(seen.T[k]));
  }
  Vec<S, 2> bias(const Frame* f, const S&) const {
    const Seen seen(*this, f[0]);
    Vec<S, 2> r;
    for (int k = 0; k < 2; ++k) r[k] = dot(f[0].omega, seen.contact.turning(seen.T[k], f[0].omega));
    return r;
  }
  void rate_jacobian(const Frame* f, const S&, Mat<S, 2, 6>* N) const {
    const Seen seen(*this, f[0]);
    for (int k = 0; k < 2; ++k) set_row(N[0], k, V::Zero(), seen.contact.turning(seen.T[k], f[0].omega));
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
    Seen(const RollingDiscKernel& k, const Frame& f)
        : T{transpose_times(f.R, k.tangent[0]), transpose_times(f.R, k.tangent[1])},
          contact(k.rim, cross(T[0], T[1])) {}
  };
  static void set_row(Mat<S, 2, 6>& m, int row, const V& x, const V& theta) {
    for (int c = 0; c < 3; ++c) {
      m(row, c) = x[c];
      m(row, 3 + c) = theta[c];
    }
  }
};

CATENA_END_ISA
