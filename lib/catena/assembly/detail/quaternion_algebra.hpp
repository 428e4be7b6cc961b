// The algebra of bodies in seven coordinates (x, e), e a quaternion that need not be of unit length: body
// angular velocity and torques as functions of e and e', with their derivatives.
#pragma once
#include <catena/math/rotation.hpp>

CATENA_BEGIN_DETAIL_ISA

// G(e) = [-e_v | e_0 I - e_v~]:  vec(e* d) = G(e) d for every quaternion d. G(e) e = 0, and bilinearity gives
// G(e) d = -G(d) e.
template <class S>
inline Mat<S, 3, 4> quaternion_map(const Vec<S, 4>& e) {
  return {{-e[1], e[0], e[3], -e[2], -e[2], -e[3], e[0], e[1], -e[3], e[2], -e[1], e[0]}};
}

// A(y), antisymmetric:  G(e)^T y = A(y) e.
template <class S>
inline Mat<S, 4, 4> quaternion_moment(const Vec<S, 3>& y) {
  const S o(0.0);
  return {{o, -y[0], -y[1], -y[2], y[0], o, y[2], -y[1], y[1], -y[2], o, y[0], y[2], y[1], -y[0], o}};
}

// The quaternion, its rate or its second rate among the seven numbers of a body; null: zero.
inline Vec4 quaternion_part(const double* seven) {
  return seven == nullptr ? Vec4::Zero() : Vec4{{seven[3], seven[4], seven[5], seven[6]}};
}

// How the rotation R(e/|e|) moves with e: dtheta = P de with R <- R exp(dtheta~), so Omega = P e'.
template <class S>
struct QuaternionRates {
  Vec<S, 4> e, de;  // e and e'
  S s;              // 2 / |e|^2
  Mat<S, 3, 4> P;   // s G(e)
  Vec<S, 3> omega;  // P e', body frame
  Mat<S, 3, 4> Q;   // d(omega)/de at fixed e'

  QuaternionRates(const Vec<S, 4>& quaternion, const Vec<S, 4>& rate)
      : e(quaternion), de(rate), s(S(2.0) / dot(quaternion, quaternion)), P(s * quaternion_map(quaternion)) {
    omega = P * de;
    Q = -s * (quaternion_map(de) + outer(omega, e));
  }
  // Omega' for a given e''.
  Vec<S, 3> angular_acceleration(const Vec<S, 4>& dde) const { return P * dde - (s * dot(e, de)) * omega; }
  // d(P^T y)/de at fixed y.
  Mat<S, 4, 4> torque_derivative(const Vec<S, 3>& y) const {
    return s * (quaternion_moment(y) - outer(transpose_times(P, y), e));
  }
};

CATENA_END_DETAIL_ISA
