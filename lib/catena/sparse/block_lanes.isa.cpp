#include <catena/math/parts/pack_rows.hpp>
#include <catena/sparse/detail/block_lane_kernels.hpp>
#include <catena/sparse/detail/unroll.hpp>

CATENA_BEGIN_DETAIL_ISA

namespace {

// Rows of a result that are worked on at once.
constexpr int tile = 8;

// out[at[l] + k] += row k of lane l, k < n
template <int n>
void add_lanes(const double (*of)[8], double* out, const int* at, unsigned used) {
  for (unsigned l = 0; l < 8; ++l) {
    if ((used >> l & 1U) == 0) continue;
    double* const to = out + at[l];
    for (int k = 0; k < n; ++k) to[k] += of[k][l];
  }
}

using BlockFunction = void (*)(const LaneBlocks&, const double*, const double*, double, double*);

// The function of Of for full groups of ball joints, hinges and norms, at bodies in six or seven coordinates; of others `any`.
template <class Of>
BlockFunction by_shape(const LaneBlocks& g) {
  constexpr BlockFunction joints[2][2][2] = {
      {{Of::template known<3, 6, false>, Of::template known<3, 6, true>},
       {Of::template known<3, 7, false>, Of::template known<3, 7, true>}},
      {{Of::template known<5, 6, false>, Of::template known<5, 6, true>},
       {Of::template known<5, 7, false>, Of::template known<5, 7, true>}}};
  if (g.used != 0xFFU) return Of::any;
  if ((g.rows == 3 || g.rows == 5) && (g.cols == 6 || g.cols == 7))
    return joints[g.rows == 5][g.cols == 7][g.split];
  return g.rows == 1 && g.cols == 4 ? Of::template known<1, 4, false> : Of::any;
}

// What of A x, or A^T x, is summed over: inner numbers of x; entry (k, j) of either.
struct Shape {
  int inner, outer, by_inner, by_outer;
  const int *from, *to;
};

Shape straight(const LaneBlocks& g) { return {g.cols, g.rows, 1, g.cols, g.col_at, g.row_at}; }
Shape across(const LaneBlocks& g) { return {g.rows, g.cols, g.cols, 1, g.row_at, g.col_at}; }

// n rows of the result, from row k0 on.
template <int n>
void multiply_rows(const LaneBlocks& g, const Shape& s, int k0, const double* pool, const double* x,
                   double factor, double* out) {
  const double* entry = pool + g.at + 8 * k0 * s.by_outer;
  Pack8 sum[n];
  for (int k = 0; k < n; ++k) sum[k] = Pack8(0.0);
  for (int j = 0; j < s.inner; ++j, entry += 8 * s.by_inner) {
    const Pack8 by = gather(x + j, s.from);
    for (int k = 0; k < n; ++k) sum[k] = madd(load(entry + 8 * k * s.by_outer), by, sum[k]);
  }
  alignas(64) double result[n][8];
  for (int k = 0; k < n; ++k) store(result[k], sum[k] * Pack8(factor));
  add_lanes<n>(result, out + k0, s.to, g.used);
}

void multiply_any(const LaneBlocks& g, const Shape& s, const double* pool, const double* x, double factor,
                  double* out) {
  int k = 0;
  for (; k + tile <= s.outer; k += tile) multiply_rows<tile>(g, s, k, pool, x, factor, out);
  for (; k + 3 <= s.outer; k += 3) multiply_rows<3>(g, s, k, pool, x, factor, out);
  for (; k < s.outer; ++k) multiply_rows<1>(g, s, k, pool, x, factor, out);
}

// A x of eight blocks whose lanes are all in use, or A^T x; split: see BlockPattern::incidence_split.
template <int rows, int cols, bool transposed, bool split>
void multiply_block(const LaneBlocks& g, const double* pool, const double* x, double factor, double* out) {
  constexpr int inner = transposed ? rows : cols, outer = transposed ? cols : rows;
  const double* const entries = pool + g.at;
  Pack8 by[inner], sum[outer];
  load_rows<inner>(x, transposed ? g.row_at : g.col_at, by);
  CATENA_UNROLL
  for (int k = 0; k < outer; ++k) {
    sum[k] = Pack8(0.0);
    CATENA_UNROLL
    for (int j = 0; j < inner; ++j) {
      const int row = transposed ? j : k, col = transposed ? k : j;
      if (split && col < 3 && row != col) continue;  // zero
      sum[k] = madd(load(entries + 8 * (row * cols + col)), by[j], sum[k]);
    }
    sum[k] = sum[k] * Pack8(factor);
  }
  store_rows<outer, true>(out, transposed ? g.col_at : g.row_at, 8, sum);
}

template <bool transposed>
struct Multiply {
  template <int rows, int cols, bool split>
  static constexpr auto known = multiply_block<rows, cols, transposed, split>;
  static void any(const LaneBlocks& g, const double* pool, const double* x, double factor, double* out) {
    multiply_any(g, transposed ? across(g) : straight(g), pool, x, factor, out);
  }
};

void multiply(const LaneBlocks& g, const double* pool, const double* x, double factor, double* out) {
  by_shape<Multiply<false>>(g)(g, pool, x, factor, out);
}

void multiply_transposed(const LaneBlocks& g, const double* pool, const double* x, double factor,
                         double* out) {
  by_shape<Multiply<true>>(g)(g, pool, x, factor, out);
}

void add_squares_any(const LaneBlocks& g, const double* pool, const double* per, double factor, double* out) {
  const double* entry = pool + g.at;
  for (int k = 0; k < g.rows; ++k) {
    // Even and odd columns for themselves, so that one sum does not wait for the other.
    Pack8 sum[2] = {Pack8(0.0), Pack8(0.0)};
    for (int j = 0; j < g.cols; ++j, entry += 8) {
      const Pack8 e = load(entry);
      sum[j % 2] += e * e * gather(per + j, g.col_at);
    }
    alignas(64) double result[1][8];
    store(result[0], Pack8(factor) * (sum[0] + sum[1]));
    add_lanes<1>(result, out + k, g.row_at, g.used);
  }
}

template <int rows, int cols, bool split>
void add_squares_of_block(const LaneBlocks& g, const double* pool, const double* per, double factor,
                          double* out) {
  Pack8 by[cols], of[rows];
  load_rows<cols>(per, g.col_at, by);
  CATENA_UNROLL
  for (int k = 0; k < rows; ++k) {
    Pack8 sum[2] = {Pack8(0.0), Pack8(0.0)};
    CATENA_UNROLL
    for (int j = 0; j < cols; ++j) {
      if (split && j < 3 && k != j) continue;  // zero
      const Pack8 e = load(pool + g.at + 8 * (k * cols + j));
      sum[j % 2] += e * e * by[j];
    }
    of[k] = Pack8(factor) * (sum[0] + sum[1]);
  }
  store_rows<rows, true>(out, g.row_at, 8, of);
}

struct Squares {
  template <int rows, int cols, bool split>
  static constexpr auto known = add_squares_of_block<rows, cols, split>;
  static constexpr auto any = add_squares_any;
};

void add_squares(const LaneBlocks& g, const double* pool, const double* per, double factor, double* out) {
  by_shape<Squares>(g)(g, pool, per, factor, out);
}

}  // namespace

extern const BlockLaneTable block_lane_table;
const BlockLaneTable block_lane_table{multiply, multiply_transposed, add_squares};

CATENA_END_DETAIL_ISA
