// SO(3): unit quaternions (scalar first, body -> world), the exponential, its right tangent operator
// and the inverse of it. Perturbations act on the right: R <- R exp(theta~), theta in body axes [rad].
//
// Quaternions are taken to be of unit length where nothing else is said, and are not checked; q and -q are the same
// rotation. Any scalar of small.hpp serves: double, eight lanes, numbers with derivatives. Results are good to a few units of
// roundoff, at small angles too (series below |theta| = 0.1, where the closed forms cancel). Nothing throws.
//
// Source of the tangent operator and its inverse: Iserles, Munthe-Kaas, Norsett, Zanna, Acta Numerica 9 (2000) 215-365,
// with the sign of the right (body) trivialisation. docs/theory/math.md
#pragma once
#include <catena/math/parts/trigonometry.hpp>
#include <catena/math/small.hpp>

CATENA_BEGIN_ISA

// w + x i + y j + z k
template <class S>
struct Quaternion {
  S w, x, y, z;  // w: cosine of half the angle
  static Quaternion Identity() { return {S(1.0), S(0.0), S(0.0), S(0.0)}; }
  Vec<S, 3> vec() const { return {{x, y, z}}; }
};
using Quat = Quaternion<double>;

// Hamilton product: R(a b) = R(a) R(b).
template <class S>
inline Quaternion<S> operator*(const Quaternion<S>& a, const Quaternion<S>& b) {
  return {nmadd(a.z, b.z, nmadd(a.y, b.y, nmadd(a.x, b.x, a.w * b.w))),
          nmadd(a.z, b.y, madd(a.y, b.z, madd(a.x, b.w, a.w * b.x))),
          nmadd(a.x, b.z, madd(a.z, b.x, madd(a.y, b.w, a.w * b.y))),
          nmadd(a.y, b.x, madd(a.x, b.y, madd(a.z, b.w, a.w * b.z)))};
}
// Of a unit quaternion the inverse rotation.
template <class S>
inline Quaternion<S> conjugate(const Quaternion<S>& a) {
  return {a.w, -a.x, -a.y, -a.z};
}
// w^2 + x^2 + y^2 + z^2
template <class S>
inline S squared_norm(const Quaternion<S>& a) {
  return madd(a.z, a.z, madd(a.y, a.y, madd(a.x, a.x, a.w * a.w)));
}
// Of unit length. Of zero: not a number.
template <class S>
inline Quaternion<S> normalized(const Quaternion<S>& a) {
  const S s = S(1.0) / sqrt(squared_norm(a));
  return {a.w * s, a.x * s, a.y * s, a.z * s};
}

// Rotation matrix of a unit quaternion, body -> world.
template <class S>
inline Mat<S, 3, 3> rotation_matrix(const Quaternion<S>& q) {
  const S two(2.0), one(1.0);
  const S x2 = q.x * two, y2 = q.y * two, z2 = q.z * two;
  const S wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
  const S xx = q.x * x2, xy = q.x * y2, xz = q.x * z2;
  const S yy = q.y * y2, yz = q.y * z2, zz = q.z * z2;
  return {{one - (yy + zz), xy - wz, xz + wy, xy + wz, one - (xx + zz), yz - wx, xz - wy, yz + wx,
           one - (xx + yy)}};
}

// A multiple of the unit quaternion of a rotation matrix, of either sign and at least 1 long: of the four ways to extract it
// the one whose own component is the largest. Shepperd, J. Guidance Control 1 (1978) 223-224.
template <class S>
inline Quaternion<S> quaternion_along(const Mat<S, 3, 3>& R) {
  const S one(1.0), x = R(2, 1) - R(1, 2), y = R(0, 2) - R(2, 0), z = R(1, 0) - R(0, 1);
  const S xy = R(1, 0) + R(0, 1), xz = R(2, 0) + R(0, 2), yz = R(2, 1) + R(1, 2);
  const S way[4][4] = {{one + R(0, 0) + R(1, 1) + R(2, 2), x, y, z},
                       {x, one + R(0, 0) - R(1, 1) - R(2, 2), xy, xz},
                       {y, xy, one - R(0, 0) + R(1, 1) - R(2, 2), yz},
                       {z, xz, yz, one - R(0, 0) - R(1, 1) + R(2, 2)}};
  S best[4] = {way[0][0], way[0][1], way[0][2], way[0][3]}, largest = way[0][0];
  for (int i = 1; i < 4; ++i) {
    for (int c = 0; c < 4; ++c) best[c] = select_less(largest, way[i][i], way[i][c], best[c]);
    largest = max(largest, way[i][i]);
  }
  return {best[0], best[1], best[2], best[3]};
}

// Unit quaternion of exp(theta~): the turn by |theta| [rad] about theta. With w < 0 beyond |theta| = pi.
template <class S>
inline Quaternion<S> exponential(const Vec<S, 3>& theta) {
  const S y = dot(theta, theta) * S(0.25);
  const HalfAngle<S> f = half_angle(y);
  const S k = f.sinc * S(0.5);
  return {f.cosine, k * theta[0], k * theta[1], k * theta[2]};
}

// Right tangent operator: exp((xi + d)~) = exp(xi~) exp((T(xi) d)~) + O(|d|^2).
// T = I - (1 - cos t)/t^2 xi~ + (t - sin t)/t^3 xi~^2, t = |xi|.
template <class S>
inline Mat<S, 3, 3> tangent(const Vec<S, 3>& xi) {
  const S t2 = dot(xi, xi);
  const HalfAngle<S> f = half_angle(t2 * S(0.25));
  const S a = f.sinc * f.sinc * S(0.5);                                             // (1 - cos t)/t^2
  const S b = (S(1.0) - f.sinc * f.cosine) / select_less(t2, S(1e-2), S(1.0), t2);  // (t - sin t)/t^3
  const S series =
      S(1.0 / 6) +
      t2 * (S(-1.0 / 120) + t2 * (S(1.0 / 5040) + t2 * (S(-1.0 / 362880) + t2 * S(1.0 / 39916800))));
  const S c = select_less(t2, S(1e-2), series, b);
  const Mat<S, 3, 3> k = skew(xi);
  Mat<S, 3, 3> m = c * (k * k) - a * k;
  for (int i = 0; i < 3; ++i) m(i, i) = m(i, i) + S(1.0);
  return m;
}

// Inverse of the right tangent operator: T^-1 = I + xi~/2 + (1 - z cot z)/(4 z^2) xi~^2, z = |xi|/2.
// Singular at |xi| = 2 pi, and inaccurate near it: rotations of a step are far smaller.
template <class S>
inline Mat<S, 3, 3> inverse_tangent(const Vec<S, 3>& xi) {
  const S t2 = dot(xi, xi);
  const S c = inverse_tangent_coefficient(t2 * S(0.25));
  const S h(0.5);
  // xi~^2 = xi xi^T - t2 I
  Mat<S, 3, 3> m = outer(Vec<S, 3>(c * xi), xi);
  const S d = nmadd(c, t2, S(1.0));
  m(0, 0) = m(0, 0) + d;
  m(1, 1) = m(1, 1) + d;
  m(2, 2) = m(2, 2) + d;
  m(0, 1) = nmadd(h, xi[2], m(0, 1));
  m(1, 0) = madd(h, xi[2], m(1, 0));
  m(0, 2) = madd(h, xi[1], m(0, 2));
  m(2, 0) = nmadd(h, xi[1], m(2, 0));
  m(1, 2) = nmadd(h, xi[0], m(1, 2));
  m(2, 1) = madd(h, xi[0], m(2, 1));
  return m;
}

// xi [rad] with exp(xi~) = R(q), |xi| <= pi; q a unit quaternion of either sign. At |xi| = pi one of the two axes.
template <class S>
inline Vec<S, 3> logarithm(Quaternion<S> q) {
  if (q.w < S(0.0)) q = {-q.w, -q.x, -q.y, -q.z};
  const Vec<S, 3> v = q.vec();
  const S s = norm(v);
  const S factor = s < S(1e-8) ? S(2.0) / q.w : S(2.0) * arctangent(s, q.w) / s;
  return factor * v;
}

CATENA_END_ISA
