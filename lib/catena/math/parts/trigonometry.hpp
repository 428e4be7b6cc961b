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

// The nearest whole number, without derivatives; beyond 2^51 the number itself.
template <class S>
inline S nearest_whole(const S& x) {
  if constexpr (requires { x.d; }) {
    return S(nearest_whole(x.value));
  } else {
    const S shift(6755399441055744.0);  // 1.5 2^52: adding it leaves no digit behind the point
    return (x + shift) - shift;
  }
}

namespace trig_detail {
// Angles beyond one half are halved `doublings` times and rebuilt: cos 2z = 2 cos^2 z - 1,
// sinc 2z = sinc z cos z. Roundoff grows with the angle, about 12 eps |z|.
template <class S>
inline HalfAngle<S> doubled(const S& y) {
  constexpr int doublings = 12;
  const S small = y * S(1.0 / 16777216.0);  // 2^-12 z
  // 1 - cos z instead of cos z avoids cancellation
  S versine = madd(small, S(1.0 / 3628800.0), S(-1.0 / 40320.0));
  versine = madd(versine, small, S(1.0 / 720.0));
  versine = madd(versine, small, S(-1.0 / 24.0));
  versine = small * madd(versine, small, S(0.5));
  S sinc = sinc_series(small);
  for (int k = 0; k < doublings; ++k) {
    sinc = sinc * (S(1.0) - versine);
    versine = S(2.0) * versine * (S(2.0) - versine);
  }
  return {S(1.0) - versine, sinc};
}

// From y = 64 on: z is reduced to half a turn first (Cody and Waite, Software Manual for the Elementary Functions, 1980,
// chapter 8), so that cosine and sine belong to one angle however large z is. The angle is known as well as z is, to eps |z|;
// from 2^50 on that is no angle any more, and the turn is none.
template <class S>
inline HalfAngle<S> reduced(const S& y) {
  const S nearest(64.0), farthest(1267650600228229401496703205376.0);  // 8^2, (2^50)^2
  S inside = select_less(y, nearest, nearest, y);
  inside = select_less(farthest, inside, farthest, inside);
  const S z = sqrt(inside);
  const S turns = nearest_whole(z * S(0.15915494309189535));
  // 2 pi in three parts; the first two have 26 bits, so that their products are exact up to 2^27 turns
  S rest = nmadd(turns, S(6.283185243606567), z);
  rest = nmadd(turns, S(6.357301884918343e-08), rest);
  rest = nmadd(turns, S(2.4492935982947064e-16), rest);
  const HalfAngle<S> f = doubled(rest * rest);
  return {select_less(farthest, y, S(1.0), f.cosine), select_less(farthest, y, S(0.0), rest * f.sinc / z)};
}
}  // namespace trig_detail

// Lanes with small angles keep their direct value, so that a lane never depends on its neighbours.
template <class S>
inline HalfAngle<S> half_angle(const S& y) {
  const S limit(0.25);
  HalfAngle<S> f{trig_detail::cosine_series(y), trig_detail::sinc_series(y)};
  if (all_less(y, limit)) return f;
  const HalfAngle<S> doubled = trig_detail::doubled(y);
  f.cosine = select_less(y, limit, f.cosine, doubled.cosine);
  f.sinc = select_less(y, limit, f.sinc, doubled.sinc);
  const S far(
      64.0);  // beyond it roundoff of the doublings shows: 2e-14 at a turn by 50 rad, 2e-11 at 2000 rad
  if (all_less(y, far)) return f;
  const HalfAngle<S> reduced = trig_detail::reduced(y);
  return {select_less(y, far, f.cosine, reduced.cosine), select_less(y, far, f.sinc, reduced.sinc)};
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
