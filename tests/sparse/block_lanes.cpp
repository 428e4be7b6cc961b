// Products with C and B in lanes against block by block.
#include <catena/sparse/detail/block_lanes.hpp>

#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <vector>

using namespace catena;
using namespace catena::detail;

namespace {

// Rows of one to nine numbers between bodies of three to twelve: whole and partial packs, bodies that occur twice in one.
std::shared_ptr<const BlockPattern> pattern() {
  auto p = std::make_shared<BlockPattern>();
  const int sizes[] = {6, 7, 3, 12, 6};
  for (int k = 0; k < 25; ++k) p->primal_size.push_back(sizes[k % 5]);
  const int rows[] = {3, 5, 1, 9};
  for (int d = 0; d < 40; ++d) {
    p->dual_size.push_back(rows[d % 4]);
    p->incidences.push_back({d, d % 25});
    if (d % 3 != 0)
      p->incidences.push_back({d, (d * 7 + 3) % 25 == d % 25 ? (d + 1) % 25 : (d * 7 + 3) % 25});
  }
  p->finish();
  return p;
}

double number(int k) { return std::sin(1.0 + 3.7 * k); }

std::vector<double> numbers(int count, int seed) {
  std::vector<double> x;
  for (int k = 0; k < count; ++k) x.push_back(number(seed + k));
  return x;
}

}  // namespace

TEST_CASE("products with C and B in lanes are those block by block") {
  const auto p = pattern();
  BlockMatrix matrix(p, Border::separate);
  const int incidences = static_cast<int>(p->incidences.size());
  for (int k = 0; k < incidences; ++k)
    for (int i = 0; i < matrix.C(k).rows; ++i)
      for (int j = 0; j < matrix.C(k).cols; ++j) {
        matrix.C(k)(i, j) = number(100 * k + 10 * i + j);
        matrix.Bt(k)(i, j) = number(7777 + 100 * k + 10 * i + j);
      }
  const BlockLanes lanes(*p);
  const std::vector<double> v = numbers(p->primal_dimension, 1), lambda = numbers(p->dual_dimension, 2);
  std::vector<double> rows = numbers(p->dual_dimension, 3), by_B = numbers(p->primal_dimension, 4),
                      by_C = numbers(p->primal_dimension, 5), squares = numbers(p->dual_dimension, 6);
  std::vector<double> rows_there = rows, by_B_there = by_B, by_C_there = by_C, squares_there = squares;
  for (int k = 0; k < incidences; ++k) {
    const auto [dual, primal] = p->incidences[static_cast<std::size_t>(k)];
    const int r = p->dual_offset[static_cast<std::size_t>(dual)] - p->primal_dimension,
              c = p->primal_offset[static_cast<std::size_t>(primal)];
    for (int i = 0; i < matrix.C(k).rows; ++i)
      for (int j = 0; j < matrix.C(k).cols; ++j) {
        const auto row = static_cast<std::size_t>(r + i), column = static_cast<std::size_t>(c + j);
        const double C = matrix.C(k)(i, j), B = matrix.Bt(k)(i, j);
        rows_there[row] += 0.5 * C * v[column];
        squares_there[row] += 0.5 * C * C * v[column];
        by_B_there[column] += 0.5 * B * lambda[row];
        by_C_there[column] += 0.5 * C * lambda[row];
      }
  }
  lanes.add_C(matrix, v.data(), 0.5, rows.data());
  lanes.add_squares_of_C(matrix, v.data(), 0.5, squares.data());
  lanes.add_B(matrix, lambda.data(), 0.5, by_B.data());
  lanes.add_C_transposed(matrix, lambda.data(), 0.5, by_C.data());
  const auto largest_difference = [](const std::vector<double>& a, const std::vector<double>& b) {
    double most = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, std::abs(a[k] - b[k]));
    return most;
  };
  // Roundoff of sums of at most 60 numbers below one.
  CHECK(largest_difference(rows, rows_there) < 1e-14);
  CHECK(largest_difference(squares, squares_there) < 1e-14);
  CHECK(largest_difference(by_B, by_B_there) < 1e-14);
  CHECK(largest_difference(by_C, by_C_there) < 1e-14);
}
