// What a system in its own coordinates has to differentiate, by automatic differentiation where its
// definition does not say it (coordinate_system.hpp).
#pragma once
#include <catena/math/parts/dual.hpp>
#include <catena/math/small.hpp>

#include <cmath>

namespace catena::detail {
namespace coordinate_detail {

template <class M>
struct RowsOf;
template <class S, int R, int C>
struct RowsOf<Mat<S, R, C>> {
  static constexpr int value = R;
};

template <class D, class S>
concept HasGapOver = requires(const D& d, const Vec<S, D::coordinates>& q, const S& t) {
  RowsOf<decltype(d.gap(q, t))>::value;
};
template <class D>
concept HasGap = HasGapOver<D, double> && HasGapOver<D, Dual<double, D::coordinates>>;
template <class D, class S>
concept HasVelocityRowsOver = requires(const D& d, const Vec<S, D::coordinates>& q, const S& t) {
  RowsOf<decltype(d.velocity_rows(q, t))>::value;
};
template <class D>
concept HasVelocityRows =
    HasVelocityRowsOver<D, double> && HasVelocityRowsOver<D, Dual<double, D::coordinates>>;
template <class D, class S>
concept HasVelocityBias = requires(const D& d, const Vec<S, D::coordinates>& q, const S& t) {
  d.velocity_bias(q, t);
};

// Rows of gap and of velocity_rows; 0 where the definition has none.
template <class D>
consteval int position_rows() {
  if constexpr (HasGap<D>)
    return RowsOf<decltype(std::declval<const D&>().gap(Vec<double, D::coordinates>{}, 0.0))>::value;
  else
    return 0;
}
template <class D>
consteval int velocity_rows() {
  if constexpr (HasVelocityRows<D>)
    return RowsOf<decltype(std::declval<const D&>().velocity_rows(Vec<double, D::coordinates>{},
                                                                  0.0))>::value;
  else
    return 0;
}

// x with m x = b, m symmetric positive definite (Cholesky).
template <int N>
Vec<double, N> solve_spd(Mat<double, N, N> m, Vec<double, N> b) {
  for (int k = 0; k < N; ++k) {
    for (int j = 0; j < k; ++j) m(k, k) -= m(k, j) * m(k, j);
    m(k, k) = std::sqrt(m(k, k));
    for (int i = k + 1; i < N; ++i) {
      for (int j = 0; j < k; ++j) m(i, k) -= m(i, j) * m(k, j);
      m(i, k) /= m(k, k);
    }
    for (int j = 0; j < k; ++j) b[k] -= m(k, j) * b[j];
    b[k] /= m(k, k);
  }
  for (int k = N - 1; k >= 0; --k) {
    for (int i = k + 1; i < N; ++i) b[k] -= m(i, k) * b[i];
    b[k] /= m(k, k);
  }
  return b;
}

template <class T, class S, int N>
Vec<T, N> lifted(const Vec<S, N>& x) {
  Vec<T, N> y;
  for (int i = 0; i < N; ++i) y[i] = T(x[i]);
  return y;
}
// The independent variables of a derivative.
template <class S, int N>
Vec<Dual<S, N>, N> variables(const Vec<S, N>& x) {
  Vec<Dual<S, N>, N> y;
  for (int i = 0; i < N; ++i) y[i] = Dual<S, N>::variable(x[i], i);
  return y;
}
// x + s v as a function of s at s = 0.
template <class S, int N>
Vec<Dual<S, 1>, N> along(const Vec<S, N>& x, const Vec<S, N>& v) {
  Vec<Dual<S, 1>, N> y;
  for (int i = 0; i < N; ++i) {
    y[i] = Dual<S, 1>(x[i]);
    y[i].d[0] = v[i];
  }
  return y;
}
// Column j of the result: derivative by variable j.
template <int R, int N>
Mat<double, R, N> jacobian_of(const Vec<Dual<double, N>, R>& y) {
  Mat<double, R, N> m;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < N; ++j) m(i, j) = y[i].d[j];
  return m;
}

}  // namespace coordinate_detail

// The derivatives of one definition at one point.
template <class Definition>
struct CoordinateDerivatives {
  static constexpr int n = Definition::coordinates;
  static constexpr int position_rows = coordinate_detail::position_rows<Definition>();
  static constexpr int velocity_rows = coordinate_detail::velocity_rows<Definition>();
  using Vector = Vec<double, n>;
  using Matrix = Mat<double, n, n>;
  using D1 = Dual<double, n>;
  using PositionRows = Mat<double, position_rows == 0 ? 1 : position_rows, n>;
  using VelocityRows = Mat<double, velocity_rows == 0 ? 1 : velocity_rows, n>;

  const Definition& definition;
  double t;
  Vector q, v;
  const double* discrete = nullptr;  // for forces that read it

  template <class S>
  Vec<S, n> force(const Vec<S, n>& x, const Vec<S, n>& u, const S& time) const {
    if constexpr (requires { definition.force(x, u, time, discrete); })
      return definition.force(x, u, time, discrete);
    else
      return definition.force(x, u, time);
  }

  PositionRows gap_jacobian() const requires(position_rows > 0) {
    if constexpr (requires { definition.gap_jacobian(q, t); })
      return definition.gap_jacobian(q, t);
    else
      return coordinate_detail::jacobian_of(definition.gap(coordinate_detail::variables(q), D1(t)));
  }

  // A v + a over any scalar.
  template <class S>
  Vec<S, velocity_rows> velocity_rows_rate(const Vec<S, n>& x, const Vec<S, n>& u, const S& time) const {
    Vec<S, velocity_rows> r = definition.velocity_rows(x, time) * u;
    if constexpr (coordinate_detail::HasVelocityBias<Definition, S>) r += definition.velocity_bias(x, time);
    return r;
  }

  // G v + g_t, then A v + a.
  void velocity(double* out) const {
    if constexpr (position_rows > 0) {
      const auto g = definition.gap(coordinate_detail::along(q, v), time_along(t));
      for (int i = 0; i < position_rows; ++i) out[i] = g[i].d[0];
    }
    if constexpr (velocity_rows > 0) {
      const auto r = velocity_rows_rate<double>(q, v, t);
      for (int i = 0; i < velocity_rows; ++i) out[position_rows + i] = r[i];
    }
  }

  // The time derivative of that at constant v.
  void bias(double* out) const {
    using S = Dual<double, 1>;
    const Vec<S, n> x = coordinate_detail::along(q, v), u = coordinate_detail::lifted<S>(v);
    if constexpr (position_rows > 0) {
      const auto g = definition.gap(coordinate_detail::along(x, u), time_along(time_along(t)));
      for (int i = 0; i < position_rows; ++i) out[i] = g[i].d[0].d[0];
    }
    if constexpr (velocity_rows > 0) {
      const auto r = velocity_rows_rate<S>(x, u, time_along(t));
      for (int i = 0; i < velocity_rows; ++i) out[position_rows + i] = r[i].d[0];
    }
  }

  void add_jacobian_times(const Vector& a, double* out) const {
    if constexpr (position_rows > 0) {
      const auto r = gap_jacobian() * a;
      for (int i = 0; i < position_rows; ++i) out[i] += r[i];
    }
    if constexpr (velocity_rows > 0) {
      const auto r = definition.velocity_rows(q, t) * a;
      for (int i = 0; i < velocity_rows; ++i) out[position_rows + i] += r[i];
    }
  }

  // d(G v + g_t)/dq
  PositionRows gap_rate_jacobian() const requires(position_rows > 0) {
    const auto g = definition.gap(
        coordinate_detail::along(coordinate_detail::variables(q), coordinate_detail::lifted<D1>(v)),
        time_along(D1(t)));
    PositionRows m;
    for (int i = 0; i < position_rows; ++i)
      for (int j = 0; j < n; ++j) m(i, j) = g[i].d[0].d[j];
    return m;
  }
  // d(A v + a)/dq
  VelocityRows velocity_rows_jacobian() const requires(velocity_rows > 0) {
    return coordinate_detail::jacobian_of(
        velocity_rows_rate<D1>(coordinate_detail::variables(q), coordinate_detail::lifted<D1>(v), D1(t)));
  }

  // G^T lambda + A^T mu
  template <class S>
  Vec<S, n> constraint_force(const Vec<S, n>& x, const double* lambda) const {
    Vec<S, n> f = Vec<S, n>::Zero();
    if constexpr (position_rows > 0) {
      const auto g = definition.gap(coordinate_detail::variables(x), Dual<S, n>(S(t)));
      for (int i = 0; i < position_rows; ++i)
        for (int j = 0; j < n; ++j) f[j] += g[i].d[j] * S(lambda[i]);
    }
    if constexpr (velocity_rows > 0) {
      const auto A = definition.velocity_rows(x, S(t));
      for (int i = 0; i < velocity_rows; ++i)
        for (int j = 0; j < n; ++j) f[j] += A(i, j) * S(lambda[position_rows + i]);
    }
    return f;
  }
  Matrix constraint_stiffness(const double* lambda) const {
    return coordinate_detail::jacobian_of(constraint_force<D1>(coordinate_detail::variables(q), lambda));
  }

  // d(M u)/dq
  Matrix momentum_derivative(const Vector& u) const {
    const Vec<D1, n> p = definition.mass(coordinate_detail::variables(q)) * coordinate_detail::lifted<D1>(u);
    return coordinate_detail::jacobian_of(p);
  }

  // K = -df/dq, D = -df/dv
  void force_derivatives(Matrix& K, Matrix& D) const {
    if constexpr (requires { definition.force_derivatives(q, v, t, discrete, K, D); }) {
      definition.force_derivatives(q, v, t, discrete, K, D);
    } else if constexpr (requires { definition.force_derivatives(q, v, t, K, D); }) {
      definition.force_derivatives(q, v, t, K, D);
    } else {
      const auto x = coordinate_detail::variables(q), u = coordinate_detail::variables(v);
      K = -coordinate_detail::jacobian_of(force(x, coordinate_detail::lifted<D1>(v), D1(t)));
      D = -coordinate_detail::jacobian_of(force(coordinate_detail::lifted<D1>(q), u, D1(t)));
    }
  }

  // dL/dq + F = f + (dM/dt) v
  template <class S>
  Vec<S, n> generalized_force(const Vec<S, n>& x, const Vec<S, n>& u) const {
    const auto moving = definition.mass(coordinate_detail::along(x, u));
    Vec<S, n> r = force(x, u, S(t));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) r[i] += moving(i, j).d[0] * u[j];
    return r;
  }
  Matrix generalized_force_by_q() const {
    return coordinate_detail::jacobian_of(
        generalized_force<D1>(coordinate_detail::variables(q), coordinate_detail::lifted<D1>(v)));
  }
  Matrix generalized_force_by_v() const {
    return coordinate_detail::jacobian_of(
        generalized_force<D1>(coordinate_detail::lifted<D1>(q), coordinate_detail::variables(v)));
  }

  // t + s as a function of s.
  template <class S>
  static Dual<S, 1> time_along(const S& time) {
    return Dual<S, 1>::variable(time, 0);
  }
};

}  // namespace catena::detail
