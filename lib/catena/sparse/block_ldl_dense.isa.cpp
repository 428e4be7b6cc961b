// One large front at a time: assembly and elimination, column-major, blocked, vectors along the columns.
#include <catena/sparse/detail/block_ldl_dense.hpp>

CATENA_BEGIN_DETAIL_ISA
namespace ldl_front {
namespace {

constexpr int panel = 32;  // pivots eliminated before the trailing columns are updated
constexpr int strip = 8;   // and before the columns of the panel are

template <bool Symmetric>
void add_matrix(const Dense& d, const Numbers& numbers, const Op& op, double* F) {
  const std::int64_t ld = d.ld;
  const int row = op.row, col = op.col, rows = op.rows, cols = op.cols;
  const int first = d.index[op.slot];
  auto entry = [&](int i, int j) -> double& { return F[j * ld + i]; };
  switch (op.kind) {
    case OpKind::diagonal: {
      const double* H = numbers.H + first;
      for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < i; ++j) {
          const double lower = H[8 * (i * rows + j)], upper = H[8 * (j * rows + i)];
          entry(row + i, row + j) = Symmetric ? (lower + upper) * 0.5 : lower;
          if (!Symmetric) entry(row + j, row + i) = upper;
        }
        entry(row + i, row + i) = H[8 * (i * rows + i)];
      }
      return;
    }
    case OpKind::border: {
      const double *C = numbers.C + first, *Bt = numbers.Bt + first;
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < cols; ++j) {
          const int e = 8 * (i * cols + j);
          if (row > col || !Symmetric) entry(row + i, col + j) = C[e];
          if (row < col || !Symmetric) entry(col + j, row + i) = Bt[e];
        }
      return;
    }
    case OpKind::coupling: {
      const double *upper = numbers.upper + first, *lower = numbers.lower + d.index[op.slot + 1];
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < cols; ++j) {
          const double a = upper[8 * (i * cols + j)], b = lower[8 * (j * rows + i)];
          if (Symmetric) {
            (row > col ? entry(row + i, col + j) : entry(col + j, row + i)) = (a + b) * 0.5;
          } else {
            entry(row + i, col + j) = a;
            entry(col + j, row + i) = b;
          }
        }
      return;
    }
    case OpKind::compliance:
      for (int i = 0; i < rows; ++i)
        entry(row + i, row + i) = -(numbers.D[first + i] + numbers.proximal[first + i]);
      return;
    case OpKind::child:
    case OpKind::children:
      return;
  }
}

template <bool Symmetric>
void add_child(const Plan& plan, const Dense& d, const Op& op, const double* store, double* F,
               double* scale) {
  const int r = op.rows;
  const int* map = plan.map + op.map;
  const double* record = store + d.index[op.slot];
  const int stride = op.dense ? 1 : 8;
  for (int i = 0; i < r; ++i) scale[map[i]] += record[stride * (r + i)];
  const double* schur = record + stride * 2 * r;
  if (!op.dense) {
    for (int i = 0; i < r; ++i) {
      double* row = F + map[i];
      const double* from = schur + 8 * (Symmetric ? i * (i + 1) / 2 : i * r);
      for (int j = 0; j < (Symmetric ? i + 1 : r); ++j) row[map[j] * d.ld] += from[8 * j];
    }
    return;
  }
  int runs = 1;
  for (int i = 1; i < r; ++i) runs += map[i] != map[i - 1] + 1;
  if (r < 12 * runs) {
    for (int j = 0; j < r; ++j) {
      double* to = F + map[j] * d.ld;
      const double* from = schur + j * r;
      for (int i = Symmetric ? j : 0; i < r; ++i) to[map[i]] += from[i];
    }
    return;
  }
  // Columns in long runs: rest blocks of the child that are neighbours here too.
  for (int i = 0; i < r;) {
    int end = i + 1;
    while (end < r && map[end] == map[end - 1] + 1) ++end;
    for (int j = 0; j < (Symmetric ? end : r); ++j) {
      double* to = F + map[j] * d.ld + map[i];
      const double* from = schur + j * r + i;
      for (int a = Symmetric && j > i ? j - i : 0; a < end - i; ++a) to[a] += from[a];
    }
    i = end;
  }
}

// The records of the ops [o, end) of the kind `children` that go to the same places: their sum in lanes first. Returns the first
// op behind them.
template <bool Symmetric>
int add_children(const Plan& plan, const Dense& d, const Numbers& numbers, const double* scratch, int o,
                 double* F, double* scale) {
  const Op& first = plan.op[o];
  const int r = first.rows, values = r + (Symmetric ? r * (r + 1) / 2 : r * r);
  const int* map = plan.map + first.map;
  Pack8 sum[most_joined_rows * (most_joined_rows + 1)];
  for (int e = 0; e < values; ++e) sum[e] = Pack8(0.0);
  for (; o < d.recipe.op_end; ++o) {
    const Op& op = plan.op[o];
    if (op.kind != OpKind::children || op.rows != r || op.map != first.map) break;
    const double* record = (op.persistent ? numbers.persistent : scratch) + d.index[op.slot] + 8 * r;
    for (int e = 0; e < values; ++e) sum[e] += load(record + 8 * e);
  }
  const Pack8* next = sum;
  for (int i = 0; i < r; ++i) scale[map[i]] += sum_of_lanes(*next++);
  for (int i = 0; i < r; ++i)
    for (int j = 0; j < (Symmetric ? i + 1 : r); ++j) F[map[j] * d.ld + map[i]] += sum_of_lanes(*next++);
  return o;
}

// Rows [i, i + 8 Packs) x columns [j, j + Cols) of F minus L W, summed over the panel in order.
template <int Packs, int Cols>
inline void update_tile(double* F, std::int64_t ld, const double* L, const double* W, int width, int i,
                        int j) {
  Pack8 sum[Cols][Packs];
  CATENA_UNROLL
  for (int c = 0; c < Cols; ++c) {
    CATENA_UNROLL
    for (int p = 0; p < Packs; ++p) sum[c][p] = load(F + (j + c) * ld + i + 8 * p);
  }
  for (int m = 0; m < width; ++m) {
    Pack8 l[Packs];
    CATENA_UNROLL
    for (int p = 0; p < Packs; ++p) l[p] = load(L + m * ld + i + 8 * p);
    CATENA_UNROLL
    for (int c = 0; c < Cols; ++c) {
      const Pack8 w(W[m * ld + j + c]);
      CATENA_UNROLL
      for (int p = 0; p < Packs; ++p) sum[c][p] = nmadd(l[p], w, sum[c][p]);
    }
  }
  CATENA_UNROLL
  for (int c = 0; c < Cols; ++c) {
    CATENA_UNROLL
    for (int p = 0; p < Packs; ++p) store(F + (j + c) * ld + i + 8 * p, sum[c][p]);
  }
}

#if CATENA_ISA_LEVEL == 2
constexpr int tile_packs = 3, tile_cols = 8;
#else
constexpr int tile_packs = 1, tile_cols = 4;
#endif

template <int Cols>
inline void update_columns(double* F, std::int64_t ld, const double* L, const double* W, int width, int i,
                           int j) {
  const int end = static_cast<int>(ld);
  for (; i + 8 * tile_packs <= end; i += 8 * tile_packs)
    update_tile<tile_packs, Cols>(F, ld, L, W, width, i, j);
  for (; i < end; i += 8) update_tile<1, Cols>(F, ld, L, W, width, i, j);
}

// Eliminates pivots [begin, end): columns of F become L with unit diagonal; W[m] holds row begin + m of the
// unscaled U (for the symmetric case: column of L times pivot). Symmetric: in strips, so that most of the work
// goes through tiles; every entry is summed over the pivots in their order either way.
template <bool Symmetric>
void eliminate_panel(const Dense& d, int begin, int end, double* F, double* W, double* reciprocal) {
  const std::int64_t ld = d.ld;
  const int n = d.n;
  int done = begin;  // pivots before this one have gone into column c already
  for (int c = begin; c < end; ++c) {
    if (Symmetric && c == done + strip) {
      int j = c;
      const double *L_strip = F + done * ld, *W_strip = W + (done - begin) * ld;
      for (; j + tile_cols <= end; j += tile_cols)
        update_columns<tile_cols>(F, ld, L_strip, W_strip, strip, j & ~7, j);
      for (; j < end; ++j) update_columns<1>(F, ld, L_strip, W_strip, strip, j & ~7, j);
      done = c;
    }
    double* column = F + c * ld;
    if constexpr (!Symmetric) {  // the entries of U above the pivot
      for (int i = begin; i < c; ++i) {
        double u = column[i];
        for (int m = begin; m < i; ++m) u = nmadd(F[m * ld + i], W[(m - begin) * ld + c], u);
        W[(i - begin) * ld + c] = u;
      }
    }
    for (int i = c & ~7; i < n; i += 8) {
      Pack8 v = load(column + i);
      for (int m = done; m < c; ++m) v = nmadd(load(F + m * ld + i), Pack8(W[(m - begin) * ld + c]), v);
      store(column + i, v);
    }
    double* w = W + (c - begin) * ld;
    const double pivot = column[c], inverse = 1.0 / pivot;
    reciprocal[c] = inverse;
    for (int i = c & ~7; i < n; i += 8) {  // nothing reads what lies before the pivot
      const Pack8 v = load(column + i);
      if constexpr (Symmetric) store(w + i, v);
      store(column + i, v * Pack8(inverse));
    }
    w[c] = pivot;
  }
  if constexpr (!Symmetric) {  // rows of U to the right of the panel
    for (int c = begin; c < end; ++c) {
      double* w = W + (c - begin) * ld;
      for (int j = end; j < n; ++j) w[j] = F[j * ld + c];
    }
    for (int c = begin; c < end; ++c) {
      double* w = W + (c - begin) * ld;
      for (int j = end & ~7; j < n; j += 8) {
        Pack8 u = load(w + j);
        for (int m = begin; m < c; ++m) u = nmadd(Pack8(F[m * ld + c]), load(W + (m - begin) * ld + j), u);
        // entries left of `end` belong to the panel and are done
        if (j >= end) {
          store(w + j, u);
        } else {
          alignas(64) double value[8];
          store(value, u);
          for (int a = end - j; a < 8; ++a) w[j + a] = value[a];
        }
      }
    }
  }
}

// Column c of a unit triangular factor, scaled; zeros up to c in its pack, which the sweeps read from there, and behind row n.
inline void copy_column(const double* from, double factor, int c, int n, double* to) {
  int i = c & ~7;
  store(to + i, select_less(Pack8(c - i), lane_numbers(), load(from + i) * Pack8(factor), Pack8(0.0)));
  for (i += 8; i < n; i += 8) store(to + i, load(from + i) * Pack8(factor));
  i -= 8;
  store(to + i, select_less(lane_numbers(), Pack8(n - i), load(to + i), Pack8(0.0)));
}

// Column c of the triangle of its eight pivots; the first of them clears it.
inline void copy_triangle(const double* column, int c, int k, double* triangles) {
  const int first = c & ~7, end = first + 8 < k ? first + 8 : k;
  if (c == first)
    for (int m = first; m < first + 8; ++m) store(triangles + 8 * m, Pack8(0.0));
  for (int m = c + 1; m < end; ++m) triangles[8 * m + c - first] = column[m];
}

// Adds to the scales of rows of the other kind what pivot c of the block that ends before row `end` contributes.
// dual: 1 for rows, 0 for the unknowns of bodies.
inline void add_to_scales(const double* L, const double* w, const double* dual, int c, int end, int n,
                          double* scale) {
  for (int i = end & ~7; i < n; i += 8) {
    const Pack8 old = load(scale + i), sum = old + abs(load(L + i) * load(w + i));
    const Pack8 other = abs(load(dual + i) - Pack8(dual[c]));
    const Pack8 behind = select_less(Pack8(end - i - 0.5), lane_numbers(), other, Pack8(0.0));
    store(scale + i, select_less(Pack8(0.5), behind, sum, old));
  }
}

void check_pivots(const Plan& plan, const Dense& d, const double* reciprocal, const double* scale,
                  TaskReport& report) {
  const Block* blocks = plan.block + d.recipe.block;
  for (int b = 0; b < d.recipe.pivot_blocks; ++b) {
    const Block& block = blocks[b];
    bool good = true;
    double high = 0.0;
    for (int i = block.offset; i < block.offset + block.size; ++i) {
      const double q = reciprocal[i], ratio = abs(scale[i] * q);
      good = good && (block.dual ? -q : q) > 0.0 && abs(q) < 1e300;
      if (!(ratio < high)) high = ratio;
      if (ratio < report.shrink) report.shrink = ratio;
    }
    const int offset = d.index[b];
    if (!good) inspect(reciprocal + block.offset, block.size, 1, block.dual, offset, plan.position, report);
    if (block.dual && high > report.weak) {
      report.weak = high;
      report.weak_block = offset;
    }
  }
}

}  // namespace

template <bool Symmetric>
void factor_dense(const Plan& plan, const Numbers& numbers, const Batch& batch, double* scratch, double* work,
                  TaskReport& report) {
  const Dense d(plan, batch);
  const int k = d.k, r = d.r, n = d.n;
  const std::int64_t ld = d.ld;
  double* F = work;
  double* scale = F + n * ld;
  double* dual = scale + ld;
  double* W = dual + ld;
  for (int j = 0; j < n; ++j)
    for (std::int64_t i = Symmetric ? j & ~7 : 0; i < ld; i += 8) store(F + j * ld + i, Pack8(0.0));
  for (std::int64_t i = 0; i < 2 * ld; i += 8) store(scale + i, Pack8(0.0));  // dual as well
  int o = d.recipe.op_begin;
  for (; o < d.recipe.op_end && plan.op[o].kind < OpKind::child; ++o)
    add_matrix<Symmetric>(d, numbers, plan.op[o], F);
  for (int i = 0; i < k; ++i) scale[i] = abs(F[i * ld + i]);
  for (; o < d.recipe.op_end && plan.op[o].kind == OpKind::child; ++o) {
    const Op& op = plan.op[o];
    add_child<Symmetric>(plan, d, op, op.persistent ? numbers.persistent : scratch, F, scale);
  }
  while (o < d.recipe.op_end) o = add_children<Symmetric>(plan, d, numbers, scratch, o, F, scale);

  double* reciprocal = numbers.factor + batch.factor;
  double *L = d.columns(reciprocal, false), *U = d.columns(reciprocal, !Symmetric);
  double *triangles_L = d.triangles(reciprocal, Symmetric, false),
         *triangles_U = d.triangles(reciprocal, Symmetric, !Symmetric);
  const Block* blocks = plan.block + d.recipe.block;
  for (int b = 0; b < d.recipe.pivot_blocks + d.recipe.rest_blocks; ++b)
    for (int i = 0; i < blocks[b].size; ++i) dual[blocks[b].offset + i] = blocks[b].dual ? 1.0 : 0.0;
  for (int begin = 0; begin < k; begin += panel) {
    const int end = begin + panel < k ? begin + panel : k, width = end - begin;
    eliminate_panel<Symmetric>(d, begin, end, F, W, reciprocal);
    const double* L_panel = F + begin * ld;
    int j = end;
    for (; j + tile_cols <= n; j += tile_cols)
      update_columns<tile_cols>(F, ld, L_panel, W, width, (Symmetric ? j : end) & ~7, j);
    for (; j < n; ++j) update_columns<1>(F, ld, L_panel, W, width, (Symmetric ? j : end) & ~7, j);
    for (int c = begin; c < end; ++c) {
      copy_column(F + c * ld, 1.0, c, n, L + c * ld);
      copy_triangle(L + c * ld, c, k, triangles_L);
      if constexpr (!Symmetric) {
        copy_column(W + (c - begin) * ld, reciprocal[c], c, n, U + c * ld);
        copy_triangle(U + c * ld, c, k, triangles_U);
      }
    }
    if (d.recipe.scale == ScaleRule::passed) continue;
    for (int p = 0; p < d.recipe.pivot_blocks; ++p) {
      const int first = blocks[p].offset, next = first + blocks[p].size;
      for (int c = first > begin ? first : begin; c < (next < end ? next : end); ++c)
        add_to_scales(L + c * ld, W + (c - begin) * ld, dual, c, next, n, scale);
    }
  }
  check_pivots(plan, d, reciprocal, scale, report);
  double* record = (d.recipe.persistent ? numbers.persistent : scratch) + batch.record;
  for (int i = 0; i < r; ++i) record[r + i] = scale[k + i];
  for (int j = 0; j < r; ++j)
    for (int i = Symmetric ? j : 0; i < r; ++i) record[2 * r + j * r + i] = F[(k + j) * ld + k + i];
}

template void factor_dense<true>(const Plan&, const Numbers&, const Batch&, double*, double*, TaskReport&);
template void factor_dense<false>(const Plan&, const Numbers&, const Batch&, double*, double*, TaskReport&);

}  // namespace ldl_front
CATENA_END_DETAIL_ISA
