#include <catena/kkt/detail/condition.hpp>
#include <catena/kkt/detail/matrix_diagnosis.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace catena::detail {
namespace {

DenseMatrix scaled_dense(const std::vector<int>& column, const std::vector<int>& row,
                         const std::vector<double>& value) {
  const int n = static_cast<int>(column.size()) - 1;
  DenseMatrix a(n, n);
  for (int j = 0; j < n; ++j)
    for (int k = column[static_cast<std::size_t>(j)]; k < column[static_cast<std::size_t>(j) + 1]; ++k)
      a(row[static_cast<std::size_t>(k)], j) += value[static_cast<std::size_t>(k)];
  constexpr int sweeps = 10;  // entries that differ by 1e10 are within 2 % of 1 then: 1e10^(2^-10)
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    std::vector<double> of_row(static_cast<std::size_t>(n), 0.0), of_column(of_row);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        double& r = of_row[static_cast<std::size_t>(i)];
        double& c = of_column[static_cast<std::size_t>(j)];
        r = std::max(r, std::abs(a(i, j)));
        c = std::max(c, std::abs(a(i, j)));
      }
    const auto factor = [](double largest) { return largest > 0.0 ? 1.0 / std::sqrt(largest) : 1.0; };
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        a(i, j) *=
            factor(of_row[static_cast<std::size_t>(i)]) * factor(of_column[static_cast<std::size_t>(j)]);
  }
  return a;
}

}  // namespace

MatrixDiagnosis diagnose(const std::vector<int>& column, const std::vector<int>& row,
                         const std::vector<double>& value, double null) {
  assert(!column.empty());
  MatrixDiagnosis found;
  const int n = static_cast<int>(column.size()) - 1;
  if (n == 0) return {.condition = 1.0};
  DenseMatrix vectors(0, 0);
  const std::vector<double> lengths = singular_vectors(scaled_dense(column, row, value), vectors);
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  const auto length = [&](int j) { return lengths[static_cast<std::size_t>(j)]; };
  std::sort(order.begin(), order.end(), [&](int i, int j) { return length(i) < length(j); });
  const double largest = length(order.back());
  found.condition =
      length(order.front()) > 0.0 ? largest / length(order.front()) : std::numeric_limits<double>::infinity();
  constexpr std::size_t most = 5;
  for (std::size_t k = 0; k < std::min(most, order.size()); ++k) {
    const int j = order[k];
    const double relative = largest > 0.0 ? length(j) / largest : 0.0;
    found.smallest.push_back(relative);
    if (relative >= null) continue;
    NearNullVector& vector = found.null.emplace_back();
    vector.singular_value = relative;
    for (int i = 0; i < n; ++i) vector.share.push_back(vectors(i, j) * vectors(i, j));
  }
  return found;
}

}  // namespace catena::detail
