// The entire functions behind the rotation formulas, lane by lane with the same bits as in scalar code.
#pragma once
#include <catena/math/parts/scalar.hpp>

#include <cmath>

CATENA_BEGIN_ISA

// cos z and sin z / z as functions of y = z^2.
template <class S>
struct HalfAngle {
  S cosine, sinc;
};

namespace trig_detail {
// Taylor polynomials; for y <= 0.25 the first neglected term is below 1e-17.
template <class S>
inline S cosine_series(const S& y) {
  S p(-1.0 / 87178291200.0);
  p = madd(p, y, S(1.0 / 479001600.0));
  p = madd(p, y, S(-1.0 / 3628800.0));
  p = madd(p, y, S(1.0 / 40320.0));
  p = madd(p, y, S(-1.0 / 720.0));
  p = madd(p, y, S(1.0 / 24.0));
  p = madd(p, y, S(-0.5));
  return madd(p, y, S(1.0));
}
template <class S>
inline S sinc_series(const S& y) {
  S p(-1.0 / 1307674368000.0);
  p = madd(p, y, S(1.0 / 6227020800.0));
  p = madd(p, y, S(-1.0 / 39916800.0));
  p = madd(p, y, S(1.0 / 362880.0));
  p = madd(p, y, S(-1.0 / 5040.0));
  p = madd(p, y, S(1.0 / 120.0));
  p = madd(p, y, S(-1.0 / 6.0));
  return madd(p, y, S(1.0));
}
// (sin z / z - cos z) / z^2 = sum_k (-1)^k 2(k+1) y^k / (2k+3)!
template <class S>
inline S difference_series(const S& y) {
  S p(-16.0 / 355687428096000.0);
  p = madd(p, y, S(14.0 / 1307674368000.0));
  p = madd(p, y, S(-12.0 / 6227020800.0));
  p = madd(p, y, S(10.0 / 39916800.0));
  p = madd(p, y, S(-8.0 / 362880.0));
  p = madd(p, y, S(6.0 / 5040.0));
  p = madd(p, y, S(-4.0 / 120.0));
  return madd(p, y, S(2.0 / 6.0));
}
}  // namespace trig_detail

// Angles beyond one half are halved `doublings` times and rebuilt: cos 2z = 2 cos^2 z - 1,
// sinc 2z = sinc z cos z. Lanes with small angles keep their direct value, so that a lane never
// depends on its neighbours.
template <class S>
inline HalfAngle<S> half_angle(const S& y) {
  const S limit(0.25);
  HalfAngle<S> f{trig_detail::cosine_series(y), trig_detail::sinc_series(y)};
  if (all_less(y, limit)) return f;
  // 2^-12 z: rotation angles up to 2048 rad; roundoff grows with the angle, about 12 eps |z|
  constexpr int doublings = 12;
  const S small = y * S(1.0 / 16777216.0);
  // 1 - cos z instead of cos z avoids cancellation
  S versine = madd(small, S(1.0 / 3628800.0), S(-1.0 / 40320.0));
  versine = madd(versine, small, S(1.0 / 720.0));
  versine = madd(versine, small, S(-1.0 / 24.0));
  versine = small * madd(versine, small, S(0.5));
  S sinc = trig_detail::sinc_series(small);
  for (int k = 0; k < doublings; ++k) {
    sinc = sinc * (S(1.0) - versine);
    versine = S(2.0) * versine * (S(2.0) - versine);
  }
  f.cosine = select_less(y, limit, f.cosine, S(1.0) - versine);
  f.sinc = select_less(y, limit, f.sinc, sinc);
  return f;
}

// (1 - z cot z) / (4 z^2) as a function of y = z^2; 1/12 at 0.
template <class S>
inline S inverse_tangent_coefficient(const S& y) {
  const S limit(0.25);
  const S small = trig_detail::difference_series(y) / (S(4.0) * trig_detail::sinc_series(y));
  if (all_less(y, limit)) return small;
  const HalfAngle<S> f = half_angle(y);
  const S large = (f.sinc - f.cosine) / (S(4.0) * y * f.sinc);
  return select_less(y, limit, small, large);
}

inline double arctangent(double y, double x) { return std::atan2(y, x); }

CATENA_END_ISA
