// Linear spring and damper about an axis, over any number of turns: with the angle s of B against A as in rows/coupling.hpp,
// counted from the angle phi at the end of the last step, and its row G (rows/coordinate.hpp), the moment
//     tau = k (s - s0) + c s'
// turns the bodies with -G_i^T tau; potential k (s - s0)^2 / 2.
#pragma once
#include <catena/model/detail/along_coordinates.hpp>
#include <catena/model/rows/coupling.hpp>

CATENA_BEGIN_DETAIL_ISA

template <class S>
struct TorsionSpringWrench {
  static constexpr int bodies = 2, parameters = 15, discrete = 1;
  static constexpr bool couples = true;
  static constexpr PositionUse positions = PositionUse::none;
  using Frame = BodyFrame<S>;

  rows::AngleOf<S> angle;
  S stiffness, damping, free_angle;  // [N m/rad], [N m s/rad], [rad]
  S reference = S(0.0);              // phi [rad]

  template <class Io>
  static TorsionSpringWrench load(const Io& io, const double* p) {
    return {rows::AngleOf<S>::load(io, p), io.entry(p, 12), io.entry(p, 13), io.entry(p, 14)};
  }
  void save(double* out) const {
    angle.save(out);
    out[12] = stiffness;
    out[13] = damping;
    out[14] = free_angle;
  }
  template <class Io>
  void read_discrete(const Io& io, const double* values, int at) {
    reference = io.discrete(values, at, discrete, 0);
  }
  void follow(const Frame* f, double* values) const {
    values[0] = rows::counted_angle(angle.value(f), values[0]);
  }

  void wrench(const Frame* f, const S& t, Vec<S, 6>* w) const {
    Mat<S, 1, 6> G[2];
    angle.jacobian(f, t, G);
    const S tau = moment(f, G);
    for (int i = 0; i < 2; ++i) w[i] = -transpose_times(G[i], Vec<S, 1>{{tau}});
  }

  // d(G_i^T tau): G_i turning with the bodies, tau with s (G_j) and with s' (its rate row N_j at fixed v, G_j with v)
  void derivatives(const Frame* f, const S& t, Mat<S, 6, 6>* K, Mat<S, 6, 6>* D) const {
    Mat<S, 1, 6> G[2], N[2];
    angle.jacobian(f, t, G);
    angle.rate_jacobian(f, t, N);
    angle.geometric_stiffness(f, t, Vec<S, 1>{{moment(f, G)}}, K);
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) {
        const Mat<S, 1, 6> pose = stiffness * G[j] + damping * N[j];
        K[2 * i + j] += transpose_times(G[i], pose);
        D[2 * i + j] = transpose_times(G[i], Mat<S, 1, 6>(damping * G[j]));
      }
  }

  AlongCoordinates along_coordinates(const Frame* f, const S& t) const {
    Mat<S, 1, 6> G[2];
    angle.jacobian(f, t, G);
    return AlongCoordinates::one(G, -moment(f, G), -stiffness, -damping);
  }
  S power(const Frame* f, const S& t) const {
    Mat<S, 1, 6> G[2];
    angle.jacobian(f, t, G);
    const S speed = rate(f, G);
    return -damping * speed * speed;
  }
  S potential(const Frame* f, const S&) const {
    const S twist = rows::counted_angle(angle.value(f), reference) - free_angle;
    return S(0.5) * stiffness * twist * twist;
  }

 private:
  static S rate(const Frame* f, const Mat<S, 1, 6>* G) {
    S rate(0.0);
    for (int i = 0; i < 2; ++i)
      for (int c = 0; c < 3; ++c) rate = rate + G[i][3 + c] * f[i].omega[c];  // turns alone
    return rate;
  }
  S moment(const Frame* f, const Mat<S, 1, 6>* G) const {
    return stiffness * (rows::counted_angle(angle.value(f), reference) - free_angle) + damping * rate(f, G);
  }
};

CATENA_END_DETAIL_ISA
