#include <catena/math/detail/array_kernels.hpp>
#include <catena/math/detail/fetch.hpp>
#include <catena/stepper/implicit/parts/step_table.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace catena {
using namespace detail;
namespace {

constexpr int most_rows = 4;
static_assert(table_columns <= WeightedColumns::most);

constexpr int chunk =
    256;  // components of all rows at a time: the columns that they share stay in the first cache

bool column_is_used(const TableRow* rows, int row_count, int j) {
  for (int r = 0; r < row_count; ++r)
    if (rows[r][j] != 0.0) return true;
  return false;
}

bool column_is_used(const ShortRow* rows, int row_count, int j) {
  for (int r = 0; r < row_count; ++r)
    if (std::find(rows[r].column, rows[r].column + rows[r].count, j) != rows[r].column + rows[r].count)
      return true;
  return false;
}

}  // namespace

ShortRow::ShortRow(const TableRow& row) {
  for (int j = 0; j < table_columns; ++j) {
    if (row[j] == 0.0) continue;
    weight[count] = row[j];
    column[count++] = j;
  }
}

void apply(const TableRow* rows, int row_count, const double* const* columns, int first, int last,
           double* const* out, int whole) {
  ShortRow short_rows[most_rows];
  std::copy(rows, rows + row_count, short_rows);
  apply(short_rows, row_count, columns, first, last, out, whole);
}

void apply(const ShortRow* rows, int row_count, const double* const* columns, int first, int last,
           double* const* out, int whole) {
  assert(row_count >= 1 && row_count <= most_rows);
  WeightedColumns used[most_rows];
  bool in_place = false;  // a row replaces a column that a later one reads
  for (int r = 0; r < row_count; ++r) {
    used[r].count = rows[r].count;
    for (int i = 0; i < rows[r].count; ++i) {
      used[r].weight[i] = rows[r].weight[i];
      // A table whose numbers have overflown has weights that are no numbers for columns that the method has not: what they
      // make of any column is no number either, and the step fails.
      const double* const of = columns[rows[r].column[i]];
      const double* const column = of != nullptr ? of : columns[0];
      used[r].column[i] = column;
      for (int before = 0; before < r; ++before) in_place = in_place || out[before] == column;
    }
  }
  const auto combine = array_kernels().combine;
  double sum[most_rows][chunk];
  for (int k = first; k < last; k += chunk) {
    const int size = std::min(chunk, last - k), later = std::min(chunk, whole - k - chunk);
    for (int j = 0; j < table_columns && later > 0; ++j)
      if (columns[j] != nullptr && column_is_used(rows, row_count, j)) fetch(columns[j] + k + chunk, later);
    for (int r = 0; r < row_count && later > 0; ++r) fetch(out[r] + k + chunk, later);
    for (int r = 0; r < row_count; ++r) combine(used[r], k, size, in_place ? sum[r] : out[r] + k);
    if (!in_place) continue;
    for (int r = 0; r < row_count; ++r) std::copy(sum[r], sum[r] + size, out[r] + k);
  }
}

void apply_transposed(const TableRow* rows, int row_count, const double* const* in, int n,
                      double* const* columns) {
  for (int j = 0; j < table_columns; ++j) {
    if (columns[j] == nullptr || !column_is_used(rows, row_count, j)) continue;
    for (int k = 0; k < n; ++k)
      for (int r = 0; r < row_count; ++r) columns[j][k] += rows[r][j] * in[r][k];
  }
}

TableRow first_guess(const StepTable& table, double ratio) {
  return table.has_guess ? table.guess : guess_of_accelerations(table, ratio);
}

TableRow guess_of_accelerations(const StepTable& table, double ratio) {
  const TableRow extrapolated = last_acceleration + ratio * (last_acceleration - acceleration_before_last);
  TableRow known = table.acceleration;
  known.weight[table_columns - 1] = 0.0;
  return (1.0 / table.acceleration.of_unknown()) * (extrapolated - known);
}

namespace {

// Coefficients of v, v', v'' and [v, v'] at t_n.
using Expansion = std::array<double, 4>;

Expansion expand(const TableRow& row, const std::array<Expansion, table_columns>& columns) {
  Expansion sum{};
  for (std::size_t j = 0; j < table_columns; ++j)
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += row.weight[j] * columns[j][i];
  return sum;
}

// The columns of an exact history, and of the unknown for which v'_{n+1} is exact.
std::array<Expansion, table_columns> exact_columns(const StepTable& table,
                                                   const std::array<StartRow, history_slots>& start,
                                                   const StepSizes& sizes) {
  std::array<Expansion, table_columns> columns{};
  columns[0] = {1.0, 0.0, 0.0, 0.0};
  columns[1] = {0.0, 1.0, 0.0, 0.0};
  columns[2] = {0.0, 1.0, -sizes.h_before, 0.0};
  for (std::size_t k = 0; k < history_slots; ++k)
    columns[3 + k] = {start[k].velocity, start[k].acceleration, start[k].jerk, start[k].bracket};
  const Expansion known = expand(table.acceleration, columns);
  const Expansion ahead = {0.0, 1.0, sizes.h, 0.0};  // v' at t_{n+1}
  for (std::size_t i = 0; i < known.size(); ++i)
    columns[table_columns - 1][i] = (ahead[i] - known[i]) / table.acceleration.of_unknown();
  return columns;
}

// The exact increment, h v + h^2/2 v' + h^3 (v''/6 + [v, v']/12), less that of the table.
Expansion defect(const StepTable& table, const std::array<Expansion, table_columns>& columns, double h) {
  const Expansion increment = expand(table.increment, columns);
  return {h - increment[0], 0.5 * h * h - increment[1], h * h * h / 6.0 - increment[2],
          h * h * h / 12.0 - increment[3]};
}

// At order 1 what falls faster than v' counts as zero.
MotionTerms of_order(int order, const Expansion& e) {
  return order == 1 ? MotionTerms{e[1], 0.0, 0.0} : MotionTerms{0.0, e[2], e[3]};
}

// What a row makes of an error of slot k, where u answers so that v' stays as it is.
double answer(const StepTable& table, const TableRow& row, std::size_t k) {
  const int j = 3 + static_cast<int>(k);
  return row[j] - row.of_unknown() * table.acceleration[j] / table.acceleration.of_unknown();
}

}  // namespace

// What a step makes wrong of its slots enters the next one: m = d + N m.
MotionTerms increment_error(const StepTable& table, const StepTable& before,
                            const std::array<StartRow, history_slots>& start, const StepSizes& sizes,
                            int order) {
  constexpr int most = 200;  // a method that forgets half of an error in a step has all digits after 50
  const double h = sizes.h_before;
  const auto steady = exact_columns(before, start, {h, h, false});
  std::array<Expansion, history_slots> made{}, wrong{};
  for (std::size_t k = 0; k < history_slots; ++k) {
    const StartRow& s = start[k];
    const Expansion exact = {s.velocity, s.acceleration + h * s.velocity,
                             s.jerk + h * s.acceleration + 0.5 * h * h * s.velocity, s.bracket};
    made[k] = expand(before.next[k], steady);
    for (std::size_t i = 0; i < exact.size(); ++i) made[k][i] -= exact[i];
  }
  for (int n = 0; n < most; ++n) {
    std::array<Expansion, history_slots> next = made;
    for (std::size_t k = 0; k < history_slots; ++k)
      for (std::size_t j = 0; j < history_slots; ++j)
        for (std::size_t i = 0; i < made[k].size(); ++i)
          next[k][i] += answer(before, before.next[k], j) * wrong[j][i];
    if (next == wrong) break;
    wrong = next;
  }
  Expansion left = defect(table, exact_columns(table, start, sizes), sizes.h);
  for (std::size_t j = 0; j < history_slots; ++j)
    for (std::size_t i = 0; i < left.size(); ++i) left[i] -= answer(table, table.increment, j) * wrong[j][i];
  return of_order(order, left);
}

ErrorRow error_estimate(const StepTable& table, const MotionTerms& error, double h) {
  return {error.rate * table.acceleration + (error.jerk / h) * (table.acceleration - last_acceleration),
          error.bracket};
}

// With the constraints met by all increments, their normal part is exact, and what the table makes of an exact history
// differs from that by a defect. A lasting offset d of v_n and v_{n+1} makes up for it: v' stays as it is, so that u
// answers d by -T[v'][v_n] / T[v'][u].
VelocityOffset velocity_offset(const StepTable& table, const std::array<StartRow, history_slots>& start,
                               const StepSizes& sizes, int order) {
  const MotionTerms left = of_order(order, defect(table, exact_columns(table, start, sizes), sizes.h));
  const double of_offset = table.increment[0] - table.increment.of_unknown() * table.acceleration[0] /
                                                    table.acceleration.of_unknown();
  return {left.rate / of_offset, left.jerk / of_offset, left.bracket / of_offset};
}

double gain_from_positions(const StepTable& unit_step) {
  constexpr int most_steps = 1000000;
  constexpr double answered = 1e-3;  // of the first answer
  double x[table_columns] = {}, sum = 0.0;
  const auto value = [&](const TableRow& row) {
    double s = 0.0;
    for (int j = 0; j < table_columns; ++j) s += row[j] * x[j];
    return s;
  };
  for (int n = 0; n < most_steps; ++n) {
    const double increment = n == 0 ? 1.0 : n == 1 ? -1.0 : 0.0;
    x[table_columns - 1] = 0.0;
    x[table_columns - 1] = (increment - value(unit_step.increment)) / unit_step.increment.of_unknown();
    const double v = value(unit_step.velocity), a = value(unit_step.acceleration);
    double next[history_slots], left = std::abs(v) + std::abs(a) + std::abs(x[1]);
    for (std::size_t k = 0; k < history_slots; ++k) {
      next[k] = value(unit_step.next[k]);
      left += std::abs(next[k]);
    }
    x[2] = x[1];
    x[0] = v;
    x[1] = a;
    for (int k = 0; k < history_slots; ++k) x[3 + k] = next[k];
    sum += a * a;
    if (!std::isfinite(sum)) break;
    if (n > 4 && left < answered) return std::sqrt(sum);
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace catena
