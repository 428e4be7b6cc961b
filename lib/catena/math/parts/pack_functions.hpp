// What a user's gap may call beside the operations of kernels, for Pack<8> and for duals over it: lane by lane, so that
// a lane carries the bits of the scalar call. Branches on packs do not compile; select_less takes their place.
#pragma once
#include <catena/math/parts/dual.hpp>
#include <catena/math/parts/pack.hpp>

#include <cmath>

CATENA_BEGIN_ISA

namespace pack_detail {
template <class F>
inline Pack8 by_lane(const Pack8& a, F&& f) {
  alignas(64) double x[8];
  store(x, a);
  for (double& y : x) y = f(y);
  return load(x);
}

// The pack under any depth of duals.
inline const Pack8& leading(const Pack8& a) { return a; }
template <class T, int N>
inline const Pack8& leading(const Dual<T, N>& a) requires requires {
  leading(a.value);
}
{ return leading(a.value); }

inline Pack8 chosen(const Pack8& x, const Pack8& y, const Pack8& a, const Pack8& b) {
  return select_less(x, y, a, b);
}
template <class T, int N>
inline Dual<T, N> chosen(const Pack8& x, const Pack8& y, const Dual<T, N>& a, const Dual<T, N>& b) {
  Dual<T, N> c;
  c.value = chosen(x, y, a.value, b.value);
  for (int i = 0; i < N; ++i) c.d[i] = chosen(x, y, a.d[i], b.d[i]);
  return c;
}

template <class T>
struct HasLanes {
  static constexpr bool value = false;
};
template <>
struct HasLanes<Pack8> {
  static constexpr bool value = true;
};
template <class T, int N>
struct HasLanes<Dual<T, N>> : HasLanes<T> {};
}  // namespace pack_detail

inline Pack8 sin(const Pack8& a) {
  return pack_detail::by_lane(a, [](double x) { return std::sin(x); });
}
inline Pack8 cos(const Pack8& a) {
  return pack_detail::by_lane(a, [](double x) { return std::cos(x); });
}
inline Pack8 tan(const Pack8& a) {
  return pack_detail::by_lane(a, [](double x) { return std::tan(x); });
}
inline Pack8 exp(const Pack8& a) {
  return pack_detail::by_lane(a, [](double x) { return std::exp(x); });
}
inline Pack8 log(const Pack8& a) {
  return pack_detail::by_lane(a, [](double x) { return std::log(x); });
}
inline Pack8 asin(const Pack8& a) {
  return pack_detail::by_lane(a, [](double x) { return std::asin(x); });
}
inline Pack8 acos(const Pack8& a) {
  return pack_detail::by_lane(a, [](double x) { return std::acos(x); });
}
inline Pack8 pow(const Pack8& a, double exponent) {
  return pack_detail::by_lane(a, [&](double x) { return std::pow(x, exponent); });
}
inline Pack8 atan2(const Pack8& y, const Pack8& x) {
  alignas(64) double a[8], b[8];
  store(a, y);
  store(b, x);
  for (int i = 0; i < 8; ++i) a[i] = std::atan2(a[i], b[i]);
  return load(a);
}
inline Pack8 arctangent(const Pack8& y, const Pack8& x) { return atan2(y, x); }

template <class T, int N>
inline Dual<T, N> select_less(const Dual<T, N>& x, const Dual<T, N>& y, const Dual<T, N>& a,
                              const Dual<T, N>& b) requires(pack_detail::HasLanes<T>::value) {
  return pack_detail::chosen(pack_detail::leading(x), pack_detail::leading(y), a, b);
}
template <class T, int N>
inline Dual<T, N> abs(const Dual<T, N>& a) requires(pack_detail::HasLanes<T>::value) {
  return select_less(a, Dual<T, N>(0.0), -a, a);
}
template <class T, int N>
inline Dual<T, N> max(const Dual<T, N>& a, const Dual<T, N>& b) requires(pack_detail::HasLanes<T>::value) {
  return select_less(a, b, b, a);
}

CATENA_END_ISA
