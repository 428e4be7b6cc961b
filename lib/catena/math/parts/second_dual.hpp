// A value with N first and N (N + 1) / 2 second partial derivatives; what nested duals compute, without computing every
// mixed derivative twice. First derivatives have the bits of Dual.
#pragma once
#include <catena/math/parts/dual.hpp>
#include <catena/math/parts/pack_functions.hpp>

CATENA_BEGIN_ISA

template <class T, int N>
struct SecondDual : DualOperators<SecondDual<T, N>> {
  static constexpr int pairs = N * (N + 1) / 2;
  T value;
  T d[N];
  T h[pairs];  // of (i, j), j <= i, at pair(i, j)

  static constexpr int pair(int i, int j) { return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i; }

  SecondDual() = default;
  SecondDual(double x) : SecondDual(T(x), 0) {}
  template <class U>
  requires(!std::is_same_v<T, double> && std::is_same_v<U, T>) explicit SecondDual(const U& x)
      : SecondDual(x, 0) {}
  // The independent variable number i.
  static SecondDual variable(const T& x, int i) {
    SecondDual a(x, 0);
    a.d[i] = T(1.0);
    return a;
  }

  friend SecondDual operator+(const SecondDual& a, const SecondDual& b) {
    return each(a, b, [](const T& x, const T& y) { return x + y; });
  }
  friend SecondDual operator-(const SecondDual& a, const SecondDual& b) {
    return each(a, b, [](const T& x, const T& y) { return x - y; });
  }
  friend SecondDual operator-(const SecondDual& a) {
    return each(a, a, [](const T& x, const T&) { return -x; });
  }
  friend SecondDual operator*(const SecondDual& a, const SecondDual& b) {
    SecondDual c;
    c.value = a.value * b.value;
    for (int i = 0; i < N; ++i) c.d[i] = a.d[i] * b.value + a.value * b.d[i];
    for (int i = 0, k = 0; i < N; ++i)
      for (int j = 0; j <= i; ++j, ++k)
        c.h[k] = (a.h[k] * b.value + a.value * b.h[k]) + (a.d[i] * b.d[j] + a.d[j] * b.d[i]);
    return c;
  }
  // a = c b, and its derivatives solved for those of c
  friend SecondDual operator/(const SecondDual& a, const SecondDual& b) {
    SecondDual c;
    c.value = a.value / b.value;
    for (int i = 0; i < N; ++i) c.d[i] = (a.d[i] - c.value * b.d[i]) / b.value;
    for (int i = 0, k = 0; i < N; ++i)
      for (int j = 0; j <= i; ++j, ++k)
        c.h[k] = (a.h[k] - c.value * b.h[k] - (c.d[i] * b.d[j] + c.d[j] * b.d[i])) / b.value;
    return c;
  }
  friend SecondDual operator+(const SecondDual& a, double b) {
    SecondDual c = a;
    c.value = a.value + T(b);
    return c;
  }
  friend SecondDual operator*(const SecondDual& a, double b) {
    return each(a, a, [&](const T& x, const T&) { return x * b; });
  }
  friend SecondDual operator/(const SecondDual& a, double b) {
    return each(a, a, [&](const T& x, const T&) { return x / b; });
  }

  // f(a), f as a function of any dual: its two slopes are those of nested duals in one direction.
  template <class F>
  static SecondDual chain(const SecondDual& a, F&& f) {
    using T1 = Dual<T, 1>;
    const Dual<T1, 1> y = f(Dual<T1, 1>::variable(T1::variable(a.value, 0), 0));
    const T &slope = y.d[0].value, &curvature = y.d[0].d[0];
    SecondDual c;
    c.value = y.value.value;
    for (int i = 0; i < N; ++i) c.d[i] = slope * a.d[i];
    for (int i = 0, k = 0; i < N; ++i)
      for (int j = 0; j <= i; ++j, ++k) c.h[k] = slope * a.h[k] + curvature * (a.d[i] * a.d[j]);
    return c;
  }
  // Entry by entry.
  template <class F>
  static SecondDual each(const SecondDual& a, const SecondDual& b, F&& f) {
    SecondDual c;
    c.value = f(a.value, b.value);
    for (int i = 0; i < N; ++i) c.d[i] = f(a.d[i], b.d[i]);
    for (int k = 0; k < pairs; ++k) c.h[k] = f(a.h[k], b.h[k]);
    return c;
  }

 private:
  SecondDual(const T& x, int) : value(x) {
    for (T& s : d) s = T(0.0);
    for (T& s : h) s = T(0.0);
  }
};

template <class T, int N>
inline SecondDual<T, N> madd(const SecondDual<T, N>& a, const SecondDual<T, N>& b,
                             const SecondDual<T, N>& c) {
  return a * b + c;
}
template <class T, int N>
inline SecondDual<T, N> madd(const SecondDual<T, N>& a, double b, const SecondDual<T, N>& c) {
  return SecondDual<T, N>::each(a, c, [&](const T& x, const T& y) { return madd(x, b, y); });
}
template <class T, int N>
inline SecondDual<T, N> nmadd(const SecondDual<T, N>& a, const SecondDual<T, N>& b,
                              const SecondDual<T, N>& c) {
  return c - a * b;
}
template <class T, int N>
inline SecondDual<T, N> sqrt(const SecondDual<T, N>& a) {
  return SecondDual<T, N>::chain(a, [](const auto& x) { return sqrt(x); });
}
template <class T, int N>
inline SecondDual<T, N> sin(const SecondDual<T, N>& a) {
  return SecondDual<T, N>::chain(a, [](const auto& x) { return sin(x); });
}
template <class T, int N>
inline SecondDual<T, N> cos(const SecondDual<T, N>& a) {
  return SecondDual<T, N>::chain(a, [](const auto& x) { return cos(x); });
}
template <class T, int N>
inline SecondDual<T, N> tan(const SecondDual<T, N>& a) {
  return SecondDual<T, N>::chain(a, [](const auto& x) { return tan(x); });
}
template <class T, int N>
inline SecondDual<T, N> sinh(const SecondDual<T, N>& a) {
  return SecondDual<T, N>::chain(a, [](const auto& x) { return sinh(x); });
}
template <class T, int N>
inline SecondDual<T, N> cosh(const SecondDual<T, N>& a) {
  return SecondDual<T, N>::chain(a, [](const auto& x) { return cosh(x); });
}
template <class T, int N>
inline SecondDual<T, N> tanh(const SecondDual<T, N>& a) {
  return SecondDual<T, N>::chain(a, [](const auto& x) { return tanh(x); });
}
template <class T, int N>
inline SecondDual<T, N> atan(const SecondDual<T, N>& a) {
  return SecondDual<T, N>::chain(a, [](const auto& x) { return atan(x); });
}
template <class T, int N>
inline SecondDual<T, N> exp(const SecondDual<T, N>& a) {
  return SecondDual<T, N>::chain(a, [](const auto& x) { return exp(x); });
}
template <class T, int N>
inline SecondDual<T, N> log(const SecondDual<T, N>& a) {
  return SecondDual<T, N>::chain(a, [](const auto& x) { return log(x); });
}
template <class T, int N>
inline SecondDual<T, N> asin(const SecondDual<T, N>& a) {
  return SecondDual<T, N>::chain(a, [](const auto& x) { return asin(x); });
}
template <class T, int N>
inline SecondDual<T, N> acos(const SecondDual<T, N>& a) {
  return SecondDual<T, N>::chain(a, [](const auto& x) { return acos(x); });
}
template <class T, int N>
inline SecondDual<T, N> pow(const SecondDual<T, N>& a, double exponent) {
  return SecondDual<T, N>::chain(a, [&](const auto& x) { return pow(x, exponent); });
}
// r^2 theta_i = x y_i - y x_i; its derivative, symmetric in i and j
template <class T, int N>
inline SecondDual<T, N> atan2(const SecondDual<T, N>& y, const SecondDual<T, N>& x) {
  const T r2 = x.value * x.value + y.value * y.value;
  SecondDual<T, N> c;
  T growth[N];  // half of d(r^2)
  c.value = atan2(y.value, x.value);
  for (int i = 0; i < N; ++i) {
    c.d[i] = (x.value * y.d[i] - y.value * x.d[i]) / r2;
    growth[i] = x.value * x.d[i] + y.value * y.d[i];
  }
  for (int i = 0, k = 0; i < N; ++i)
    for (int j = 0; j <= i; ++j, ++k)
      c.h[k] = (x.value * y.h[k] - y.value * x.h[k] - (growth[j] * c.d[i] + growth[i] * c.d[j])) / r2;
  return c;
}
template <class T, int N>
inline SecondDual<T, N> arctangent(const SecondDual<T, N>& y, const SecondDual<T, N>& x) {
  return atan2(y, x);
}
template <class T, int N>
inline SecondDual<T, N> select_less(const SecondDual<T, N>& x, const SecondDual<T, N>& y,
                                    const SecondDual<T, N>& a, const SecondDual<T, N>& b) {
  return SecondDual<T, N>::each(a, b,
                                [&](const T& p, const T& q) { return select_less(x.value, y.value, p, q); });
}
template <class T, int N>
inline SecondDual<T, N> abs(const SecondDual<T, N>& a) {
  return select_less(a, SecondDual<T, N>(0.0), -a, a);
}
template <class T, int N>
inline SecondDual<T, N> max(const SecondDual<T, N>& a, const SecondDual<T, N>& b) {
  return select_less(a, b, b, a);
}
template <class T, int N>
inline bool all_less(const SecondDual<T, N>& x, const SecondDual<T, N>& y) {
  return all_less(x.value, y.value);
}
template <class T, int N>
inline double plain(const SecondDual<T, N>& a) {
  return plain(a.value);
}

CATENA_END_ISA
