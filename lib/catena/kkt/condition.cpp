#include <catena/kkt/detail/condition.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>

namespace catena::detail {

DenseMatrix to_dense(const BlockMatrix& matrix) {
  const int n = matrix.pattern().dimension();
  DenseMatrix dense(n, n);
  std::vector<double> unit(static_cast<std::size_t>(n), 0.0), column(unit);
  for (int j = 0; j < n; ++j) {
    unit[static_cast<std::size_t>(j)] = 1.0;
    matrix.multiply(unit.data(), column.data());
    unit[static_cast<std::size_t>(j)] = 0.0;
    for (int i = 0; i < n; ++i) dense(i, j) = column[static_cast<std::size_t>(i)];
  }
  return dense;
}

namespace {

// Turns the columns of a until they are orthogonal, and those of `vectors` with them, where there are any.
void orthogonalize_columns(DenseMatrix& a, DenseMatrix* vectors) {
  assert(a.rows >= a.cols);
  const auto turn = [](DenseMatrix& of, int p, int q, double c, double s) {
    for (int i = 0; i < of.rows; ++i) {
      const double x = of(i, p), y = of(i, q);
      of(i, p) = c * x - s * y;
      of(i, q) = s * x + c * y;
    }
  };
  constexpr int sweeps = 60;  // convergence is quadratic at the end: 6 to 10 are usual, the rest is a guard
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < sweeps; ++sweep) {
    rotated = false;
    for (int p = 0; p + 1 < a.cols; ++p)
      for (int q = p + 1; q < a.cols; ++q) {
        double pp = 0.0, qq = 0.0, pq = 0.0;
        for (int i = 0; i < a.rows; ++i) {
          pp += a(i, p) * a(i, p);
          qq += a(i, q) * a(i, q);
          pq += a(i, p) * a(i, q);
        }
        if (std::abs(pq) <= epsilon * std::sqrt(pp * qq)) continue;
        rotated = true;
        const double zeta = (qq - pp) / (2.0 * pq);
        const double t = std::copysign(1.0, zeta) / (std::abs(zeta) + std::sqrt(1.0 + zeta * zeta));
        const double c = 1.0 / std::sqrt(1.0 + t * t), s = c * t;
        turn(a, p, q, c, s);
        if (vectors != nullptr) turn(*vectors, p, q, c, s);
      }
  }
}

std::vector<double> lengths_of_columns(const DenseMatrix& a) {
  std::vector<double> values(static_cast<std::size_t>(a.cols), 0.0);
  for (int j = 0; j < a.cols; ++j) {
    double sum = 0.0;
    for (int i = 0; i < a.rows; ++i) sum += a(i, j) * a(i, j);
    values[static_cast<std::size_t>(j)] = std::sqrt(sum);
  }
  return values;
}

}  // namespace

std::vector<double> singular_values(DenseMatrix a) {
  orthogonalize_columns(a, nullptr);
  std::vector<double> values = lengths_of_columns(a);
  std::sort(values.begin(), values.end(), std::greater<>());
  return values;
}

std::vector<double> singular_vectors(DenseMatrix a, DenseMatrix& vectors) {
  vectors = DenseMatrix(a.cols, a.cols);
  for (int j = 0; j < a.cols; ++j) vectors(j, j) = 1.0;
  orthogonalize_columns(a, &vectors);
  return lengths_of_columns(a);
}

double condition_number(const DenseMatrix& matrix) {
  const std::vector<double> s = singular_values(matrix);
  if (s.empty()) return 1.0;
  return s.back() > 0.0 ? s.front() / s.back() : std::numeric_limits<double>::infinity();
}

}  // namespace catena::detail
