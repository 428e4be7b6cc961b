// Euler angles theta of a ball joint, R = Rz(theta2) Rx(theta3) Rz(theta1), their kinematic equation and its
// breakdown where theta3 is a multiple of pi ("the pole"): X. Huang, Z. Huang, K. Huang, "Analysis of Lagrange
// equation computational method of multibody system", J. National Univ. of Defense Technology 22(4), 2000. Numbers
// in brackets are the equations of that source; three of them are misprinted, see the end of this file.
// Components 0, 1, 2 of a vector of angles are theta1, theta2, theta3 [rad]; omega is in the turned frame.
#pragma once
#include <catena/math/rotation.hpp>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

namespace catena::euler {

template <class S>
Mat<S, 3, 3> rotation(const Vec<S, 3>& theta) {
  const S s1 = sin(theta[0]), c1 = cos(theta[0]), s2 = sin(theta[1]), c2 = cos(theta[1]), s3 = sin(theta[2]),
          c3 = cos(theta[2]);
  return {{c2 * c1 - s2 * c3 * s1, -c2 * s1 - s2 * c3 * c1, s2 * s3,   //
           s2 * c1 + c2 * c3 * s1, -s2 * s1 + c2 * c3 * c1, -c2 * s3,  //
           s3 * s1, s3 * c1, c3}};
}

// (16): omega = E theta'. det E = -sin theta3.
template <class S>
Mat<S, 3, 3> rate_matrix(const Vec<S, 3>& theta) {
  const S s1 = sin(theta[0]), c1 = cos(theta[0]), s3 = sin(theta[2]), c3 = cos(theta[2]), o(0.0);
  return {{o, s1 * s3, c1, o, c1 * s3, -s1, S(1.0), c3, o}};
}

// (dE/dt) theta': what omega' has beside E theta''.
template <class S>
Vec<S, 3> rate_drift(const Vec<S, 3>& theta, const Vec<S, 3>& rate) {
  const S s1 = sin(theta[0]), c1 = cos(theta[0]), s3 = sin(theta[2]), c3 = cos(theta[2]);
  return {{(c1 * s3 * rate[0] + s1 * c3 * rate[2]) * rate[1] - s1 * rate[0] * rate[2],
           (c1 * c3 * rate[2] - s1 * s3 * rate[0]) * rate[1] - c1 * rate[0] * rate[2],
           -s3 * rate[2] * rate[1]}};
}

// (17), corrected: theta' = E^-1 omega. Divides by sin theta3.
inline Vec3 rates(const Vec3& theta, const Vec3& omega) {
  const double s1 = std::sin(theta[0]), c1 = std::cos(theta[0]), s3 = std::sin(theta[2]),
               c3 = std::cos(theta[2]);
  const double across = s1 * omega[0] + c1 * omega[1];
  return {{omega[2] - c3 * across / s3, across / s3, c1 * omega[0] - s1 * omega[1]}};
}

// (19), corrected: the kinematic equation near the pole with theta1 held. What it drops, the part of omega along
// (sin theta1, cos theta1, 0), would need theta2' = that / sin theta3.
inline Vec3 rates_at_pole(const Vec3& theta, const Vec3& omega) {
  const double side = std::cos(theta[2]) < 0.0 ? -1.0 : 1.0;
  return {{0.0, side * omega[2], std::cos(theta[0]) * omega[0] - std::sin(theta[0]) * omega[1]}};
}

// Constraint replacement near the pole: theta1 is held and its rate goes to theta2, whose axis is the same there
// (the opposite one at theta3 = pi).
template <class S>
Vec<S, 3> replaced_rates(const Vec<S, 3>& theta, const Vec<S, 3>& rate) {
  const double side = std::cos(plain(theta[2])) < 0.0 ? -1.0 : 1.0;
  return {{S(0.0), rate[1] + side * rate[0], rate[2]}};
}

// The same with an aim: theta1, whose choice is worth no more than |theta3 - n pi| of attitude near the pole, is
// chosen so that the motion goes straight through it. theta and rate become those of a path through the pole beside
// the true one: the attitude is wrong by the distance at which the true one passes, no angular velocity is lost.
inline void aim_at_pole(Vec3& theta, Vec3& rate) {
  const double pi = std::acos(-1.0), pole = pi * std::round(theta[2] / pi);
  const double side = std::cos(theta[2]) < 0.0 ? -1.0 : 1.0;
  const Vec3 omega = rate_matrix(theta) * rate;
  const double c1 = std::cos(theta[0]), s1 = std::sin(theta[0]), speed = std::hypot(omega[0], omega[1]);
  const double along = c1 * omega[0] - s1 * omega[1], across = s1 * omega[0] + c1 * omega[1];
  rate = {{0.0, side * omega[2], along}};
  if (speed == 0.0) return;
  // The way along the motion, turned from (c1, -s1) by less than a right angle.
  const double turn = std::atan2(along < 0.0 ? across : -across, std::abs(along));
  theta[0] += turn;
  theta[1] -= side * turn;
  theta[2] = pole + (theta[2] - pole) * std::cos(turn);
  rate[2] = along < 0.0 ? -speed : speed;
}

namespace detail {
// Angles on the branch where sin theta3 has the sign of `branch`, theta1 as given where R leaves it open.
inline Vec3 angles_on(const Mat3& R, double branch, double theta1_at_pole) {
  const bool open = R(2, 0) == 0.0 && R(2, 1) == 0.0;
  const double theta1 = open ? theta1_at_pole : std::atan2(branch * R(2, 0), branch * R(2, 1));
  // R Rz(-theta1) = Rz(theta2) Rx(theta3): theta2 and theta3 follow to roundoff however uncertain theta1 is.
  const double s = std::sin(theta1), c = std::cos(theta1);
  const double m00 = R(0, 0) * c - R(0, 1) * s, m10 = R(1, 0) * c - R(1, 1) * s;
  const double m21 = R(2, 0) * s + R(2, 1) * c;
  return {{theta1, std::atan2(m10, m00), std::atan2(m21, R(2, 2))}};
}
}  // namespace detail

// Angles of a rotation matrix with 0 <= theta3 <= pi. On the pole itself theta1 is free: it is chosen along the
// motion, so that it goes straight through.
inline Vec3 angles(const Mat3& R, const Vec3& omega = Vec3::Zero()) {
  return detail::angles_on(R, 1.0, std::atan2(-omega[1], omega[0]));
}

// Those of all angles of R, of either branch and any number of turns, that are closest to `near`.
inline Vec3 angles_near(const Mat3& R, const Vec3& near) {
  Vec3 best = near;
  double least = std::numeric_limits<double>::infinity();
  for (const double branch : {1.0, -1.0}) {
    Vec3 theta = detail::angles_on(R, branch, near[0]);
    const double turn = 2.0 * std::acos(-1.0);
    for (int k = 0; k < 3; ++k) theta[k] -= turn * std::round((theta[k] - near[k]) / turn);
    const double distance = norm(theta - near);
    if (distance < least) {
      least = distance;
      best = theta;
    }
  }
  return best;
}

// Condition number of a symmetric matrix in the 1-norm, from the cofactors; infinity where it is singular to
// roundoff or not finite. Within a factor 3 of that in the 2-norm.
inline double condition(const Mat3& A) {
  const Vec3 r0 = {{A(0, 0), A(0, 1), A(0, 2)}}, r1 = {{A(1, 0), A(1, 1), A(1, 2)}},
             r2 = {{A(2, 0), A(2, 1), A(2, 2)}};
  const Vec3 cofactor[3] = {cross(r1, r2), cross(r2, r0), cross(r0, r1)};
  const auto one_norm = [](const Vec3& x) { return std::abs(x[0]) + std::abs(x[1]) + std::abs(x[2]); };
  double size = 0.0, inverse = 0.0;
  for (const Vec3& r : {r0, r1, r2}) size = std::max(size, one_norm(r));
  for (const Vec3& c : cofactor) inverse = std::max(inverse, one_norm(c));
  const double determinant = std::abs(dot(r0, cofactor[0]));
  const double value = size * inverse / determinant;
  return value < 1.0 / std::numeric_limits<double>::epsilon() ? value
                                                              : std::numeric_limits<double>::infinity();
}

// As printed in the source, to show that they fail. Nothing else uses them.
namespace printed {

// (17): the last entry of the first row and the middle one of the third have the wrong sign.
inline Vec3 rates(const Vec3& theta, const Vec3& omega) {
  const double s1 = std::sin(theta[0]), c1 = std::cos(theta[0]), s3 = std::sin(theta[2]),
               c3 = std::cos(theta[2]);
  return {{(-c3 * s1 * omega[0] - c1 * c3 * omega[1] - s3 * omega[2]) / s3,
           (s1 * omega[0] + c1 * omega[1]) / s3, c1 * omega[0] + s1 * omega[1]}};
}

// (18): E at theta3 = 0. The last entry of the second row is -sin theta1, not 0.
inline Mat3 rate_matrix_at_pole(const Vec3& theta) {
  return {{0.0, 0.0, std::cos(theta[0]), 0.0, 0.0, 0.0, 1.0, 1.0, 0.0}};
}

// (19): theta3' = omega_x / cos theta1, "k_max omega_x" where |cos theta1| < epsilon; k_max is not given: 1/epsilon.
inline Vec3 rates_at_pole(const Vec3& theta, const Vec3& omega, double epsilon) {
  const double c1 = std::cos(theta[0]);
  return {{0.0, omega[2], std::abs(c1) < epsilon ? omega[0] / epsilon : omega[0] / c1}};
}

}  // namespace printed
}  // namespace catena::euler
