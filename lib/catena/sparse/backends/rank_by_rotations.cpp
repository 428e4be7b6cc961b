#include <catena/math/detail/index.hpp>
#include <catena/sparse/backends/detail/rank_of_rows.hpp>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

#include <cmath>
#include <utility>

namespace catena::detail {
namespace {

using Sparse = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

// A row of what is left to eliminate: its columns, ascending in the order of the elimination, and numbers.
struct Row {
  std::vector<int> column;
  std::vector<double> value;

  bool empty() const { return column.empty(); }
  void add(int c, double v) {
    column.push_back(c);
    value.push_back(v);
  }
  Row behind_first() const { return {{column.begin() + 1, column.end()}, {value.begin() + 1, value.end()}}; }
};

// Rotates two rows that begin in the same column: the first keeps it, what is left of the second begins behind it.
void rotate(Row& a, Row& b) {
  const double length = std::hypot(a.value[0], b.value[0]);
  const double c = length > 0.0 ? a.value[0] / length : 1.0, s = length > 0.0 ? b.value[0] / length : 0.0;
  Row first, rest;
  first.add(a.column[0], length);
  std::size_t i = 1, j = 1;
  while (i < a.column.size() || j < b.column.size()) {
    const bool of_a = j == b.column.size() || (i < a.column.size() && a.column[i] <= b.column[j]);
    const bool of_b = i == a.column.size() || (j < b.column.size() && b.column[j] <= a.column[i]);
    const int column = of_a ? a.column[i] : b.column[j];
    const double x = of_a ? a.value[i++] : 0.0, y = of_b ? b.value[j++] : 0.0;
    first.add(column, c * x + s * y);
    rest.add(column, c * y - s * x);
  }
  a = std::move(first);
  b = std::move(rest);
}

// Columns whose products fill little.
std::vector<int> order_of_columns(const SparseColumns& matrix) {
  const Sparse a =
      Eigen::Map<const Sparse>(matrix.rows, matrix.columns(), static_cast<int>(matrix.row.size()),
                               matrix.start.data(), matrix.row.data(), matrix.value.data());
  const Sparse products = Sparse(a.transpose()) * a;
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(products.selfadjointView<Eigen::Lower>(), order);
  return {order.indices().data(), order.indices().data() + order.indices().size()};
}

}  // namespace

// Rows are rotated one after the other into a triangle that has at most one row for each column (A. George, M. T. Heath, Linear
// Algebra Appl. 34, 1980). A row of it that is too short at its column, when nothing more can come there, shows that the column
// depends on those before it: the column has no row, and the rest of that row is put in again (M. T. Heath, SIAM J. Sci. Stat.
// Comput. 3, 1982).
std::optional<RankTriangle> rotations_triangle(const SparseColumns& matrix, double tolerance) {
  const int columns = matrix.columns();
  RankTriangle t;
  t.original = order_of_columns(matrix);
  std::vector<Row> rows(index(matrix.rows));
  for (int j = 0; j < columns; ++j) {
    const int from = t.original[index(j)];
    for (int k = matrix.start[index(from)]; k < matrix.start[index(from) + 1]; ++k)
      rows[index(matrix.row[index(k)])].add(j, matrix.value[index(k)]);
  }
  std::vector<std::vector<int>> beginning(index(columns));  // in each column
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (!rows[r].empty()) beginning[index(rows[r].column[0])].push_back(static_cast<int>(r));
  std::vector<Row> triangle(index(columns));
  const auto put = [&](Row row) {
    while (!row.empty()) {
      Row& there = triangle[index(row.column[0])];
      if (there.empty()) {
        there = std::move(row);
        return;
      }
      rotate(there, row);
    }
  };
  std::vector<std::vector<std::pair<int, double>>> of_column(index(columns));  // of R: rows and numbers
  for (int j = 0; j < columns; ++j) {
    for (const int r : beginning[index(j)]) put(std::move(rows[index(r)]));
    const Row& here = triangle[index(j)];
    if (here.empty() || !(std::fabs(here.value[0]) >= tolerance)) {
      t.dead.push_back(j);
      if (!here.empty()) put(here.behind_first());
      continue;
    }
    const int row = static_cast<int>(t.live.size());
    t.live.push_back(j);
    for (std::size_t k = 0; k < here.column.size(); ++k)
      of_column[index(here.column[k])].emplace_back(row, here.value[k]);
  }
  t.R.rows = static_cast<int>(t.live.size());
  for (const auto& entries : of_column) {
    for (const auto& [row, value] : entries) {
      t.R.row.push_back(row);
      t.R.value.push_back(value);
    }
    t.R.start.push_back(static_cast<int>(t.R.row.size()));
  }
  return t;
}

}  // namespace catena::detail
