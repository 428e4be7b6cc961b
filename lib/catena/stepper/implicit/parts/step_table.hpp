// An implicit method as a table of numbers.
//
// A step of an implicit one-step or two-step method maps columns
//
//     v_n, v'_n, v'_{n-1}, the slots m_0 ... m_3 of the method's own history, and Newton's unknown u
//
// linearly to rows: the increment xi with q_{n+1} = q_n exp(xi), the velocity v_{n+1}, and the acceleration v'_{n+1}.
// The weights depend on h, on h_before, and on nothing else. Rows add up and scale like vectors, so that a method is
// written as in its paper:
//
//     const TableRow v = last_velocity, eta = slot(0), alpha = slot(1), u = unknown;   // BDF2
//     StepTable t;
//     t.increment = (2 * h / 3) * (0.5 * eta + u);
//     t.velocity = u;
//     t.acceleration = (1.5 / h) * (u - v) - 0.5 * alpha;
//     t.next = {(1 / h) * t.increment, (1 / h) * (u - v)};
//
// The last column holds the weights of Newton's matrix. Because tables are data, the difference of two of them on one
// history is an error estimate, and a table transposed takes derivatives backwards (docs/theory/tables.md).
#pragma once
#include <array>
#include <cstddef>

namespace catena {

constexpr int history_slots = 4;                  // at most, of a method's own
constexpr int table_columns = 4 + history_slots;  // the last one is the unknown

// Weights of the columns.
struct TableRow {
  std::array<double, table_columns> weight{};

  double operator[](int column) const { return weight[static_cast<std::size_t>(column)]; }
  double of_unknown() const { return weight[table_columns - 1]; }
};

// The weights of a row that are not zero, and their columns: steps of few bodies would look for them as long as they add.
struct ShortRow {
  ShortRow() = default;
  ShortRow(const TableRow& row);  // NOLINT(google-explicit-constructor): the same row
  int count = 0;
  double weight[table_columns] = {};
  int column[table_columns] = {};
};

constexpr TableRow column(int index) {
  TableRow row;
  row.weight[static_cast<std::size_t>(index)] = 1.0;
  return row;
}
inline constexpr TableRow last_velocity = column(0);             // v_n
inline constexpr TableRow last_acceleration = column(1);         // v'_n
inline constexpr TableRow acceleration_before_last = column(2);  // v'_{n-1}; at the start v'(t_0 - h)
inline constexpr TableRow unknown = column(table_columns - 1);
constexpr TableRow slot(int index) { return column(3 + index); }

inline TableRow operator+(TableRow a, const TableRow& b) {
  for (std::size_t j = 0; j < table_columns; ++j) a.weight[j] += b.weight[j];
  return a;
}
inline TableRow operator*(double factor, TableRow a) {
  for (double& w : a.weight) w *= factor;
  return a;
}
inline TableRow operator-(const TableRow& a, const TableRow& b) { return a + -1.0 * b; }

// An error of the increment: a row over the columns, and a weight of [v_n, v'_n].
struct ErrorRow {
  TableRow row;
  double bracket = 0.0;  // [s^3]
};

struct StepTable {
  TableRow increment, velocity, acceleration;     // xi, v_{n+1}, v'_{n+1}
  std::array<TableRow, history_slots> next = {};  // of the slots, for the step after this one
  // Where Newton begins: u as the method expects it. Without one, v' continues to v'_{n+1} as in the step before.
  TableRow guess;
  bool has_guess = false;
  // An estimate of the error of the increment, where the method has a better one than error_estimate(): the increment
  // less that of another table on the same history, say.
  ErrorRow error;
  bool has_error = false;
};

// What a table is made for.
struct StepSizes {
  double h = 0.0, h_before = 0.0;  // [s] h_before = h in the first step
  bool first = false;              // no step was taken before this one
  friend bool operator==(const StepSizes&, const StepSizes&) = default;
};

// The slots at t_0 for a first step of size h, over v, v', v'' and [v, v'] at t_0.
struct StartRow {
  double velocity = 0.0, acceleration = 0.0, jerk = 0.0, bracket = 0.0;
};

// Newton's unknown is a change of v'. These weights are that of M, and what v and q change by with v'.
struct NewtonWeights {
  double damping = 0.0, unit = 0.0;  // [s, s^2]
};
inline NewtonWeights newton_weights(const StepTable& t) {
  const double per = 1.0 / t.acceleration.of_unknown();
  return {t.velocity.of_unknown() * per, t.increment.of_unknown() * per};
}

// u of the guess, as a row whose own unknown has no weight. ratio = h / h_before.
TableRow first_guess(const StepTable& table, double ratio);
// The same where v' continues to v'_{n+1} as in the step before.
TableRow guess_of_accelerations(const StepTable& table, double ratio);

// out_r[k] = sum_j rows[r][j] columns[j][k] for k in [first, last); columns whose weights are all zero may be null. Rows: 1
// to 4. The unknown counts as any other column. out may be one of the columns. whole: components of the columns where these
// are fetched ahead (math/detail/fetch.hpp); 0: they are not.
void apply(const TableRow* rows, int row_count, const double* const* columns, int first, int last,
           double* const* out, int whole = 0);
void apply(const ShortRow* rows, int row_count, const double* const* columns, int first, int last,
           double* const* out, int whole = 0);
// columns[j][k] += sum_r rows[r][j] in_r[k]: the transposed table. Null columns are left out.
void apply_transposed(const TableRow* rows, int row_count, const double* const* in, int n,
                      double* const* columns);

// Weights of v', v'' and [v, v'] at t_n.
struct MotionTerms {
  double rate = 0.0, jerk = 0.0, bracket = 0.0;
};

// What the increment of a step leaves out of the exact one, h v + h^2/2 v' + h^3 (v''/6 + [v, v']/12) [s^2, s^3, s^3]: the
// leading term of the local error of q, at index 3 its part along the constraints. The history is that of a method which
// has made the same error in all steps before. before: the table of steps of h_before; start: the slots of an exact
// history; order: of the method, terms of higher order count as zero.
MotionTerms increment_error(const StepTable& table, const StepTable& before,
                            const std::array<StartRow, history_slots>& start, const StepSizes& sizes,
                            int order);
// The same by the columns of a step, with v'' from v'_n and v'_{n+1} (at order 1 with v'_{n+1}): the estimate of the
// engine where a table has none. docs/theory/tables.md
ErrorRow error_estimate(const StepTable& table, const MotionTerms& error, double h);

// What the velocities of a method differ by from those of the motion, where the constraints hold at position level
// (index 3) and its step is of this table: the part normal to the constraints of these terms [s, s^2, s^2].
using VelocityOffset = MotionTerms;
VelocityOffset velocity_offset(const StepTable& table, const std::array<StartRow, history_slots>& start,
                               const StepSizes& sizes, int order);

// (sum over n of (h^2 v'_n)^2)^1/2 where q_1 = 1 and q_n = 0 in all other steps, by the table of h = h_before = 1: what
// independent roundoff of positions makes of accelerations. Infinite where the method answers without end.
double gain_from_positions(const StepTable& unit_step);

}  // namespace catena
