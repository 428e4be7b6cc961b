// The digits of Radau IIA follow from its matrix, and that from collocation.
#include <catena/solvers/detail/radau_coefficients.hpp>

#include <doctest/doctest.h>

#include <cmath>

namespace radau_coefficients_tests {

namespace radau = catena::detail::radau;

namespace {

constexpr double eps = 1e-15;

double product(const double (&a)[3][3], const double (&b)[3][3], int i, int j) {
  return a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
}

}  // namespace

TEST_CASE("radau: A integrates 1, t and t^2 to the stages, and its last row t^3 and t^4 as well") {
  for (int power = 0; power < 5; ++power)
    for (int i = power < 3 ? 0 : 2; i < 3; ++i) {
      double sum = 0.0;
      for (int j = 0; j < 3; ++j) sum += radau::a[i][j] * std::pow(radau::c[j], power);
      CHECK(std::abs(sum - std::pow(radau::c[i], power + 1) / (power + 1)) <= eps);
    }
}

TEST_CASE("radau: the inverse of A, and its real form") {
  const double form[3][3] = {
      {radau::gamma, 0.0, 0.0}, {0.0, radau::alpha, -radau::beta}, {0.0, radau::beta, radau::alpha}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const double unit = i == j ? 1.0 : 0.0;
      CHECK(std::abs(product(radau::a, radau::inverse_a, i, j) - unit) <= 8 * eps);
      CHECK(std::abs(product(radau::to_stages, radau::from_stages, i, j) - unit) <= 8 * eps);
      CHECK(std::abs(product(radau::inverse_a, radau::to_stages, i, j) -
                     product(radau::to_stages, form, i, j)) <= 16 * eps);
    }
}

// y(0) + h y'(0) w + sum_i e_i (y(c_i h) - y(0)) with w = 1/gamma ... is of order 3: exact for 1, t, t^2 where the filter's
// own term is taken out.
TEST_CASE("radau: the embedded solution is of order 3") {
  // With xi_i = t_i^p of y' = p t^(p-1): y'(0) + sum_i e_i c_i^p is what the estimate sees, zero for p <= 3 beside the
  // weight of y'(0), which is 1 for p = 1.
  for (int p = 1; p <= 3; ++p) {
    double sum = p == 1 ? 1.0 : 0.0;
    for (int i = 0; i < 3; ++i) sum += radau::error[i] * std::pow(radau::c[i], p);
    CHECK(std::abs(sum) <= 8 * eps);
  }
  double fourth = 0.0;
  for (int i = 0; i < 3; ++i) fourth += radau::error[i] * std::pow(radau::c[i], 4);
  CHECK(std::abs(fourth) > 0.01);
}

}  // namespace radau_coefficients_tests
