// Forward-mode automatic differentiation: a value with N partial derivatives. T may itself be a Dual,
// which gives second derivatives. For prototypes of joints and as the oracle of tests; built-in joints
// have analytic derivatives.
#pragma once
#include <catena/math/parts/scalar.hpp>
#include <catena/math/parts/trigonometry.hpp>

#include <cmath>
#include <type_traits>

CATENA_BEGIN_ISA

// What follows from the other operators of a number D with derivatives; such numbers are ordered by their values.
template <class D>
struct DualOperators {
  friend D& operator+=(D& a, const D& b) { return a = a + b; }
  friend D& operator-=(D& a, const D& b) { return a = a - b; }
  friend D& operator*=(D& a, const D& b) { return a = a * b; }
  friend D& operator/=(D& a, const D& b) { return a = a / b; }
  friend D operator+(double a, const D& b) { return b + a; }
  friend D operator-(const D& a, double b) { return a + -b; }
  friend D operator-(double a, const D& b) { return -b + a; }
  friend D operator*(double a, const D& b) { return b * a; }
  friend bool operator<(const D& a, const D& b) { return a.value < b.value; }
  friend bool operator>(const D& a, const D& b) { return b.value < a.value; }
  friend bool operator<=(const D& a, const D& b) { return !(b.value < a.value); }
  friend bool operator>=(const D& a, const D& b) { return !(a.value < b.value); }
};

template <class T, int N>
struct Dual : DualOperators<Dual<T, N>> {
  T value;
  T d[N];

  Dual() = default;
  Dual(double x) : value(x) {
    for (int i = 0; i < N; ++i) d[i] = T(0.0);
  }
  template <class U>
  requires(!std::is_same_v<T, double> && std::is_same_v<U, T>) explicit Dual(const U& x) : value(x) {
    for (int i = 0; i < N; ++i) d[i] = T(0.0);
  }
  // The independent variable number i.
  static Dual variable(const T& x, int i) {
    Dual a;
    a.value = x;
    for (int k = 0; k < N; ++k) a.d[k] = T(k == i ? 1.0 : 0.0);
    return a;
  }

  friend Dual operator+(const Dual& a, const Dual& b) {
    return combine(a, b, a.value + b.value, [&](int i) { return a.d[i] + b.d[i]; });
  }
  friend Dual operator-(const Dual& a, const Dual& b) {
    return combine(a, b, a.value - b.value, [&](int i) { return a.d[i] - b.d[i]; });
  }
  friend Dual operator-(const Dual& a) {
    return combine(a, a, -a.value, [&](int i) { return -a.d[i]; });
  }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return combine(a, b, a.value * b.value, [&](int i) { return a.d[i] * b.value + a.value * b.d[i]; });
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const T q = a.value / b.value;
    return combine(a, b, q, [&](int i) { return (a.d[i] - q * b.d[i]) / b.value; });
  }
  // Numbers have no derivatives: a point of a body costs a third of what a variable does.
  friend Dual operator+(const Dual& a, double b) {
    Dual c = a;
    c.value = a.value + T(b);
    return c;
  }
  friend Dual operator*(const Dual& a, double b) {
    return combine(a, a, a.value * b, [&](int i) { return a.d[i] * b; });
  }
  friend Dual operator/(const Dual& a, double b) {
    return combine(a, a, a.value / b, [&](int i) { return a.d[i] / b; });
  }

  // f(a) with derivative slope = f'(a)
  static Dual chain(const Dual& a, const T& f, const T& slope) {
    return combine(a, a, f, [&](int i) { return slope * a.d[i]; });
  }

 private:
  template <class F>
  static Dual combine(const Dual&, const Dual&, const T& value, F&& partial) {
    Dual c;
    c.value = value;
    for (int i = 0; i < N; ++i) c.d[i] = partial(i);
    return c;
  }
};

// The functions of double themselves, so that unqualified calls stay unambiguous beside `using namespace`.
using std::acos;
using std::asin;
using std::atan;
using std::atan2;
using std::cos;
using std::cosh;
using std::exp;
using std::log;
using std::pow;
using std::sin;
using std::sinh;
using std::tan;
using std::tanh;

template <class T, int N>
inline Dual<T, N> madd(const Dual<T, N>& a, const Dual<T, N>& b, const Dual<T, N>& c) {
  return a * b + c;
}
template <class T, int N>
inline Dual<T, N> madd(const Dual<T, N>& a, double b, const Dual<T, N>& c) {
  Dual<T, N> r;
  r.value = madd(a.value, b, c.value);
  for (int i = 0; i < N; ++i) r.d[i] = madd(a.d[i], b, c.d[i]);
  return r;
}
template <class T, int N>
inline Dual<T, N> nmadd(const Dual<T, N>& a, const Dual<T, N>& b, const Dual<T, N>& c) {
  return c - a * b;
}
template <class T, int N>
inline Dual<T, N> sqrt(const Dual<T, N>& a) {
  const T r = sqrt(a.value);
  return Dual<T, N>::chain(a, r, T(0.5) / r);
}
template <class T, int N>
inline Dual<T, N> sin(const Dual<T, N>& a) {
  return Dual<T, N>::chain(a, sin(a.value), cos(a.value));
}
template <class T, int N>
inline Dual<T, N> cos(const Dual<T, N>& a) {
  return Dual<T, N>::chain(a, cos(a.value), -sin(a.value));
}
template <class T, int N>
inline Dual<T, N> tan(const Dual<T, N>& a) {
  const T t = tan(a.value);
  return Dual<T, N>::chain(a, t, T(1.0) + t * t);
}
template <class T, int N>
inline Dual<T, N> sinh(const Dual<T, N>& a) {
  return Dual<T, N>::chain(a, sinh(a.value), cosh(a.value));
}
template <class T, int N>
inline Dual<T, N> cosh(const Dual<T, N>& a) {
  return Dual<T, N>::chain(a, cosh(a.value), sinh(a.value));
}
template <class T, int N>
inline Dual<T, N> tanh(const Dual<T, N>& a) {
  const T t = tanh(a.value);
  return Dual<T, N>::chain(a, t, T(1.0) - t * t);
}
template <class T, int N>
inline Dual<T, N> atan(const Dual<T, N>& a) {
  return Dual<T, N>::chain(a, atan(a.value), T(1.0) / (T(1.0) + a.value * a.value));
}
template <class T, int N>
inline Dual<T, N> exp(const Dual<T, N>& a) {
  const T e = exp(a.value);
  return Dual<T, N>::chain(a, e, e);
}
template <class T, int N>
inline Dual<T, N> log(const Dual<T, N>& a) {
  return Dual<T, N>::chain(a, log(a.value), T(1.0) / a.value);
}
template <class T, int N>
inline Dual<T, N> asin(const Dual<T, N>& a) {
  return Dual<T, N>::chain(a, asin(a.value), T(1.0) / sqrt(T(1.0) - a.value * a.value));
}
template <class T, int N>
inline Dual<T, N> acos(const Dual<T, N>& a) {
  return Dual<T, N>::chain(a, acos(a.value), T(-1.0) / sqrt(T(1.0) - a.value * a.value));
}
// A constant exponent.
template <class T, int N>
inline Dual<T, N> pow(const Dual<T, N>& a, double exponent) {
  return Dual<T, N>::chain(a, pow(a.value, exponent), T(exponent) * pow(a.value, exponent - 1.0));
}
template <class T, int N>
inline Dual<T, N> atan2(const Dual<T, N>& y, const Dual<T, N>& x) {
  const T r2 = x.value * x.value + y.value * y.value;
  Dual<T, N> c;
  c.value = atan2(y.value, x.value);
  for (int i = 0; i < N; ++i) c.d[i] = (x.value * y.d[i] - y.value * x.d[i]) / r2;
  return c;
}
template <class T, int N>
inline Dual<T, N> abs(const Dual<T, N>& a) {
  return a.value < T(0.0) ? -a : a;
}
template <class T, int N>
inline Dual<T, N> max(const Dual<T, N>& a, const Dual<T, N>& b) {
  return a < b ? b : a;
}
template <class T, int N>
inline Dual<T, N> select_less(const Dual<T, N>& x, const Dual<T, N>& y, const Dual<T, N>& a,
                              const Dual<T, N>& b) {
  return x < y ? a : b;
}
template <class T, int N>
inline bool all_less(const Dual<T, N>& x, const Dual<T, N>& y) {
  return x < y;
}
template <class T, int N>
inline Dual<T, N> arctangent(const Dual<T, N>& y, const Dual<T, N>& x) {
  return atan2(y, x);
}

// The plain number under any depth of duals.
inline double plain(double a) { return a; }
template <class T, int N>
inline double plain(const Dual<T, N>& a) {
  return plain(a.value);
}

CATENA_END_ISA
