// Automatic differentiation against closed forms and differences.
#include <catena/math/parts/dual.hpp>
#include <catena/math/parts/second_dual.hpp>
#include <catena/math/rotation.hpp>

#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <utility>

using namespace catena;

namespace {

using D = Dual<double, 2>;
using DD = Dual<D, 2>;

struct Everything {
  template <class S>
  S operator()(const S& x, const S& y) const {
    const S r = sqrt(x * x + y * y + 1.0);
    return sin(x) * cos(y) / r + exp(-x) * log(2.0 + y * y) + atan2(y, x) + tan(0.3 * x) +
           abs(x - y) * max(x, y) + asin(0.2 * x) - acos(0.1 * y) + pow(r, 1.5) + arctangent(x, r) +
           sinh(0.5 * x) * cosh(y) - tanh(x) * atan(y) + select_less(x, y, x * y, x - y) +
           madd(x, y, r) * nmadd(x, x, y);
  }
};

}  // namespace

TEST_CASE("first derivatives of every function agree with differences") {
  const Everything f;
  for (const auto& [x, y] : {std::pair{0.7, -0.4}, std::pair{-1.1, 0.3}, std::pair{0.2, 1.9}}) {
    const D value = f(D::variable(x, 0), D::variable(y, 1));
    CHECK(value.value == f(x, y));
    // fourth order: h^4 f^(5) / 30 + 1.5 eps |f| / h ~ 1e-12 f^(5) with h = 1e-3
    const double h = 1e-3;
    const double X = x, Y = y;
    const auto slope = [h](auto&& g) { return (8.0 * (g(h) - g(-h)) - (g(2 * h) - g(-2 * h))) / (12.0 * h); };
    CHECK(value.d[0] == catena_test::relative(slope([&](double s) { return f(X + s, Y); }), 1e-9));
    CHECK(value.d[1] == catena_test::relative(slope([&](double s) { return f(X, Y + s); }), 1e-9));
  }
}

TEST_CASE("nested duals give second derivatives, equal in either order") {
  const Everything f;
  const double x = 0.7, y = -0.4;
  DD a = DD::variable(D::variable(x, 0), 0), b = DD::variable(D::variable(y, 1), 1);
  const DD value = f(a, b);
  CHECK(plain(value) == f(x, y));
  CHECK(value.d[0].d[1] == catena_test::relative(value.d[1].d[0], 1e-14));
  const double h = 1e-3;
  const auto gradient = [&](double u, double v) { return f(D::variable(u, 0), D::variable(v, 1)); };
  for (int c = 0; c < 2; ++c) {
    const auto along = [&](double s) { return gradient(c == 0 ? x + s : x, c == 1 ? y + s : y); };
    for (int r = 0; r < 2; ++r)
      CHECK(value.d[r].d[c] == catena_test::relative((8.0 * (along(h).d[r] - along(-h).d[r]) -
                                                      (along(2 * h).d[r] - along(-2 * h).d[r])) /
                                                         (12.0 * h),
                                                     1e-9));
  }
}

TEST_CASE("second duals are nested duals: the same first derivatives, and second ones to roundoff") {
  using Q = SecondDual<double, 2>;
  const Everything f;
  for (const auto& [x, y] : {std::pair{0.7, -0.4}, std::pair{-1.1, 0.3}, std::pair{0.2, 1.9}}) {
    const Q value = f(Q::variable(x, 0), Q::variable(y, 1));
    const D first = f(D::variable(x, 0), D::variable(y, 1));
    const DD second = f(DD::variable(D::variable(x, 0), 0), DD::variable(D::variable(y, 1), 1));
    CHECK(value.value == first.value);
    for (int i = 0; i < 2; ++i) {
      CHECK(value.d[i] == catena_test::relative(first.d[i], 1e-15));
      for (int j = 0; j <= i; ++j)
        CHECK(value.h[Q::pair(i, j)] == catena_test::relative(second.d[i].d[j], 1e-13));
    }
    const Q part = Q::variable(y, 1) * Q::variable(x, 0);
    const Q mixed = (2.5 - part / 2.0) * 3.0 + 1.0;
    CHECK(mixed.h[Q::pair(1, 0)] == -1.5);
  }
  const Q zero = abs(Q::variable(-3.0, 0));
  CHECK(zero.d[0] == -1.0);
  CHECK(plain(max(zero, Q(5.0))) == 5.0);
}

TEST_CASE("derivatives pass through the series of the rotation formulas and across their limits") {
  // d/ds logarithm(exponential(s n)) = n; T^-1 T = I with duals as the scalar
  using S = Dual<double, 1>;
  for (const double angle : {1e-5, 0.05, 0.4, 0.99, 1.01, 2.5}) {
    Vec<S, 3> xi;
    const Vec3 n{{0.6, 0.0, -0.8}};
    for (int k = 0; k < 3; ++k) xi[k] = S::variable(angle, 0) * n[k];
    const Vec<S, 3> back = logarithm(exponential(xi));
    for (int k = 0; k < 3; ++k) CHECK(back[k].d[0] == catena_test::component(n[k], 1e-10));
    const Mat<S, 3, 3> product = tangent(xi) * inverse_tangent(xi);
    for (int k = 0; k < 9; ++k)
      CHECK(std::abs(product[k].d[0]) < 1e-12);  // cancellation eps / angle^2 at the limit
  }
}

TEST_CASE("a number is a constant: unqualified calls with double stay unambiguous") {
  const double x = 0.5;
  CHECK(sin(x) == std::sin(x));
  CHECK(sqrt(x) == std::sqrt(x));
  CHECK(atan2(x, 2.0) == std::atan2(x, 2.0));
  const D c = 3.0;
  CHECK(c.d[0] == 0.0);
  CHECK((2.0 * D::variable(x, 0)).d[0] == 2.0);
}
