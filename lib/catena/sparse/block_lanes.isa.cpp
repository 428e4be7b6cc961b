#include <catena/math/parts/pack.hpp>
#include <catena/sparse/detail/block_lane_kernels.hpp>

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

// What of A x, or A^T x, is summed over: inner numbers of x; entry (k, j) of either.
struct Shape {
  int inner, outer, by_inner, by_outer;
  const int *from, *to;
};

Shape straight(const LaneBlocks& g) { return {g.cols, g.rows, 1, g.cols, g.col_at, g.row_at}; }
Shape transposed(const LaneBlocks& g) { return {g.rows, g.cols, g.cols, 1, g.row_at, g.col_at}; }

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

// Six and seven numbers are those of bodies, three the rows of a ball joint.
void multiply_by(const LaneBlocks& g, const Shape& s, const double* pool, const double* x, double factor,
                 double* out) {
  for (int k = 0; k < s.outer;) {
    const int left = s.outer - k;
    if (left >= tile) {
      multiply_rows<tile>(g, s, k, pool, x, factor, out);
      k += tile;
    } else if (left >= 7) {
      multiply_rows<7>(g, s, k, pool, x, factor, out);
      k += 7;
    } else if (left >= 6) {
      multiply_rows<6>(g, s, k, pool, x, factor, out);
      k += 6;
    } else if (left >= 3) {
      multiply_rows<3>(g, s, k, pool, x, factor, out);
      k += 3;
    } else {
      multiply_rows<1>(g, s, k, pool, x, factor, out);
      k += 1;
    }
  }
}

void multiply(const LaneBlocks& g, const double* pool, const double* x, double factor, double* out) {
  multiply_by(g, straight(g), pool, x, factor, out);
}

void multiply_transposed(const LaneBlocks& g, const double* pool, const double* x, double factor,
                         double* out) {
  multiply_by(g, transposed(g), pool, x, factor, out);
}

void add_squares(const LaneBlocks& g, const double* pool, const double* per, double factor, double* out) {
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

}  // namespace

extern const BlockLaneTable block_lane_table;
const BlockLaneTable block_lane_table{multiply, multiply_transposed, add_squares};

CATENA_END_DETAIL_ISA
