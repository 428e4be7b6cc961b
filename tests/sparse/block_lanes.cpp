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
  for (int d = 0; d < 400; ++d) {
    p->dual_size.push_back(rows[d % 4]);
    p->incidences.push_back({d, d % 25});
    if (d % 3 != 0)
      p->incidences.push_back({d, (d * 7 + 3) % 25 == d % 25 ? (d + 1) % 25 : (d * 7 + 3) % 25});
  }
  p->finish();
  return p;
}

// Ball joints and hinges between bodies of so many numbers, with known zeros (but of some joints, where mixed), and the norms of
// bodies of seven, where mixed beside rows of one number in their packs.
std::shared_ptr<const BlockPattern> joints(int numbers, bool mixed) {
  auto p = std::make_shared<BlockPattern>();
  const int bodies = 21, ties = 60;
  p->primal_size.assign(bodies, numbers);
  for (int d = 0; d < ties; ++d) {
    p->dual_size.push_back(d % 2 == 0 ? 3 : 5);
    p->incidences.push_back({d, d % bodies});
    p->incidences.push_back({d, (d + 1) % bodies});
    for (int end = 0; end < 2; ++end) p->incidence_split.push_back(mixed && d % 9 == 0 ? 0 : 1);
  }
  p->norm_row.assign(p->dual_size.size(), 0);
  const auto add_row = [&](int body, bool norm) {
    p->incidences.push_back({p->dual_count(), body});
    p->incidence_split.push_back(0);
    p->dual_size.push_back(1);
    p->norm_row.push_back(norm ? 1 : 0);
  };
  for (int k = 0; k < 7 && mixed; ++k) add_row(k, false);
  for (int k = 0; k < bodies && numbers == 7; ++k) add_row(k, true);
  p->finish();
  return p;
}

// Whether the pattern says that entry (i, j) of a block is zero.
bool is_zero(const BlockPattern& p, int incidence, int i, int j) {
  const auto k = static_cast<std::size_t>(incidence);
  if (j >= 3) return false;
  return p.is_norm(p.incidences[k].dual) ||
         (!p.incidence_split.empty() && p.incidence_split[k] != 0 && i != j);
}

double number(int k) { return std::sin(1.0 + 3.7 * k); }

std::vector<double> numbers(int count, int seed) {
  std::vector<double> x;
  for (int k = 0; k < count; ++k) x.push_back(number(seed + k));
  return x;
}

void check(const std::shared_ptr<const BlockPattern>& p) {
  BlockMatrix matrix(p, Border::separate);
  const int incidences = static_cast<int>(p->incidences.size());
  for (int k = 0; k < incidences; ++k)
    for (int i = 0; i < matrix.C(k).rows; ++i)
      for (int j = 0; j < matrix.C(k).cols; ++j) {
        if (is_zero(*p, k, i, j)) continue;
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
  // Roundoff of sums of at most 300 numbers below one.
  CHECK(largest_difference(rows, rows_there) < 1e-13);
  CHECK(largest_difference(squares, squares_there) < 1e-13);
  CHECK(largest_difference(by_B, by_B_there) < 1e-13);
  CHECK(largest_difference(by_C, by_C_there) < 1e-13);
}

}  // namespace

TEST_CASE("products with C and B in lanes are those block by block") {
  check(pattern());
  for (const int numbers : {6, 7})
    for (const bool mixed : {false, true}) check(joints(numbers, mixed));
}
