// Fronts eight at a time, one per lane: elimination. The sweeps of a solve are in block_ldl_sweeps.isa.cpp.
#include <catena/sparse/detail/block_ldl_lane_assembly.hpp>

CATENA_BEGIN_DETAIL_ISA
namespace ldl_front {
namespace {

// rows x cols entries of the Schur complement at (i0, j0), summed over the pivots in their order.
template <bool Symmetric, int K, int Rows, int Cols>
inline void schur_tile(int k_, int n, bool leaf, const Pack8* F, const double* L21, int i0, int j0, int r,
                       double* out) {
  const int k = K > 0 ? K : k_;
  const bool on_diagonal = Symmetric && j0 + Cols > i0;
  Pack8 sum[Rows][Cols];
  CATENA_UNROLL
  for (int a = 0; a < Rows; ++a) {
    CATENA_UNROLL
    for (int b = 0; b < Cols; ++b)
      sum[a][b] =
          leaf || (on_diagonal && j0 + b > i0 + a) ? Pack8(0.0) : F[at<Symmetric>(k + i0 + a, k + j0 + b, n)];
  }
  CATENA_UNROLL
  for (int m = 0; m < k; ++m) {
    Pack8 w[Cols];
    CATENA_UNROLL
    for (int b = 0; b < Cols; ++b)
      w[b] = Symmetric ? F[at<true>(k + j0 + b, m, n)] : F[at<false>(m, k + j0 + b, n)];
    CATENA_UNROLL
    for (int a = 0; a < Rows; ++a) {
      const Pack8 l = load(L21 + 8 * ((i0 + a) * k + m));
      CATENA_UNROLL
      for (int b = 0; b < Cols; ++b) sum[a][b] = nmadd(l, w[b], sum[a][b]);
    }
  }
  CATENA_UNROLL
  for (int a = 0; a < Rows; ++a) {
    CATENA_UNROLL
    for (int b = 0; b < Cols; ++b)
      if (!on_diagonal || j0 + b <= i0 + a) store(out + 8 * at<Symmetric>(i0 + a, j0 + b, r), sum[a][b]);
  }
}

template <bool Symmetric, int K, int Rows>
inline void schur_rows(int k, int n, bool leaf, const Pack8* F, const double* L21, int i0, int r,
                       double* out) {
  const int end = Symmetric ? i0 + Rows : r;
  int j = 0;
  for (; j + 3 <= end; j += 3) schur_tile<Symmetric, K, Rows, 3>(k, n, leaf, F, L21, i0, j, r, out);
  if (end - j == 2) schur_tile<Symmetric, K, Rows, 2>(k, n, leaf, F, L21, i0, j, r, out);
  if (end - j == 1) schur_tile<Symmetric, K, Rows, 1>(k, n, leaf, F, L21, i0, j, r, out);
}

// Rows [i, i + Rows) of column c: subtracts the earlier pivots, stores the scaled column.
template <bool Symmetric, int Rows>
inline void column_rows(int c, int i, int k, int n, Pack8 reciprocal, Pack8* F, double* L, double* U) {
  const int inner = k * (k - 1) / 2;
  int row[Rows];
  Pack8 v[Rows];
  CATENA_UNROLL
  for (int a = 0; a < Rows; ++a) {
    row[a] = 8 * (i + a < k ? (i + a) * (i + a - 1) / 2 : inner + (i + a - k) * k);
    v[a] = F[at<Symmetric>(i + a, c, n)];
  }
  for (int m = 0; m < c; ++m) {
    const Pack8 w = F[Symmetric ? at<true>(c, m, n) : at<false>(m, c, n)];
    CATENA_UNROLL
    for (int a = 0; a < Rows; ++a) v[a] = nmadd(load(L + row[a] + 8 * m), w, v[a]);
  }
  CATENA_UNROLL
  for (int a = 0; a < Rows; ++a) {
    if constexpr (Symmetric) F[at<true>(i + a, c, n)] = v[a];
    store(L + row[a] + 8 * c, v[a] * reciprocal);
  }
  if constexpr (!Symmetric) {
    const double* Lc = L + 8 * (c * (c - 1) / 2);
    Pack8 u[Rows];
    CATENA_UNROLL
    for (int a = 0; a < Rows; ++a) u[a] = F[at<false>(c, i + a, n)];
    for (int m = 0; m < c; ++m) {
      const Pack8 l = load(Lc + 8 * m);
      CATENA_UNROLL
      for (int a = 0; a < Rows; ++a) u[a] = nmadd(l, F[at<false>(m, i + a, n)], u[a]);
    }
    CATENA_UNROLL
    for (int a = 0; a < Rows; ++a) {
      F[at<false>(c, i + a, n)] = u[a];
      store(U + row[a] + 8 * c, u[a] * reciprocal);
    }
  }
}

// Eliminates the pivots of F, without pivoting: L and reciprocal pivots to `factor`, the Schur complement to
// `schur`. Left in F: the unscaled columns of L and rows of U. K > 0: known when compiled.
template <bool Symmetric, int K>
void eliminate(int k_, int r, bool leaf, Pack8* F, double* factor, double* schur, Traffic& traffic) {
  const int k = K > 0 ? K : k_, n = k + r, inner = k * (k - 1) / 2;
  double* L = factor + 8 * k;
  double* U = L + 8 * (inner + k * r);  // U^T in the layout of L
  CATENA_UNROLL
  for (int c = 0; c < k; ++c) {
    Pack8 d = F[at<Symmetric>(c, c, n)];
    for (int m = 0; m < c; ++m)
      d = nmadd(load(L + 8 * (c * (c - 1) / 2 + m)), F[Symmetric ? at<true>(c, m, n) : at<false>(m, c, n)],
                d);
    const Pack8 reciprocal = Pack8(1.0) / d;
    store(factor + 8 * c, reciprocal);
    int i = c + 1;
    for (; i + 4 <= n; i += 4) {
      column_rows<Symmetric, 4>(c, i, k, n, reciprocal, F, L, U);
      traffic.step();
    }
    for (; i < n; ++i) column_rows<Symmetric, 1>(c, i, k, n, reciprocal, F, L, U);
    traffic.step();
  }
  const double* L21 = L + 8 * inner;
  int i = 0;
  for (; i + 3 <= r; i += 3) {
    schur_rows<Symmetric, K, 3>(k, n, leaf, F, L21, i, r, schur);
    traffic.step();
  }
  if (r - i == 2) schur_rows<Symmetric, K, 2>(k, n, leaf, F, L21, i, r, schur);
  if (r - i == 1) schur_rows<Symmetric, K, 1>(k, n, leaf, F, L21, i, r, schur);
}

// Rows [i, i + Rows) of L21 become rows of L21 L11^-1.
template <int K, int Rows>
inline void solve_rest_rows(int k_, int i, const double* L11, double* L21) {
  const int k = K > 0 ? K : k_;
  Pack8 v[Rows][K > 0 ? K : widest_lane_batch];
  CATENA_UNROLL
  for (int a = 0; a < Rows; ++a) {
    CATENA_UNROLL
    for (int m = 0; m < k; ++m) v[a][m] = load(L21 + 8 * ((i + a) * k + m));
  }
  CATENA_UNROLL
  for (int p = k - 1; p > 0; --p) {
    CATENA_UNROLL
    for (int m = 0; m < p; ++m) {
      const Pack8 l = load(L11 + 8 * (p * (p - 1) / 2 + m));
      CATENA_UNROLL
      for (int a = 0; a < Rows; ++a) v[a][m] = nmadd(l, v[a][p], v[a][m]);
    }
  }
  CATENA_UNROLL
  for (int a = 0; a < Rows; ++a) {
    CATENA_UNROLL
    for (int m = 0; m < k - 1; ++m) store(L21 + 8 * ((i + a) * k + m), v[a][m]);
  }
}

// See keeps_solved_rest().
template <int K>
void solve_rest(int k_, int r, int sides, double* factor, Traffic& traffic) {
  const int k = K > 0 ? K : k_, inner = k * (k - 1) / 2;
  double* L11 = factor + 8 * k;
  for (int side = 0; side < sides; ++side, L11 += 8 * (inner + k * r)) {
    int i = 0;
    for (; i + 3 <= r; i += 3) {
      solve_rest_rows<K, 3>(k, i, L11, L11 + 8 * inner);
      traffic.step();
    }
    for (; i < r; ++i) solve_rest_rows<K, 1>(k, i, L11, L11 + 8 * inner);
  }
}

template <bool Symmetric>
inline void eliminate_any(int k, int r, bool leaf, Pack8* F, double* factor, double* schur,
                          Traffic& traffic) {
  switch (k) {
#if CATENA_ISA_LEVEL > 0
// Without symmetry twelve pivots gain nothing from being known here, and took 7 s to compile.
#define CATENA_LDL_CASE(K)                                                                          \
  case K:                                                                                           \
    eliminate<Symmetric, (Symmetric || (K) < 12 ? (K) : 0)>(k, r, leaf, F, factor, schur, traffic); \
    return;
    CATENA_LDL_PIVOTS(CATENA_LDL_CASE)
#undef CATENA_LDL_CASE
#endif
    default:
      eliminate<Symmetric, 0>(k, r, leaf, F, factor, schur, traffic);
  }
}

// Signs, sizes and local scales of the pivots; usual ones cost one comparison.
void check_pivots(const Plan& plan, const Lanes& lanes, const double* factor, const Pack8* scale,
                  TaskReport& report) {
  const Recipe& recipe = lanes.recipe;
  const Block* blocks = plan.block + recipe.block;
  Pack8 lowest(report.shrink);
  for (int b = 0; b < recipe.pivot_blocks; ++b) {
    const Block& block = blocks[b];
    const Pack8 sign(block.dual ? -1.0 : 1.0);
    Pack8 good(1.0), high(0.0);
    for (int i = block.offset; i < block.offset + block.size; ++i) {
      const Pack8 reciprocal = load(factor + 8 * i);
      good = select_less(Pack8(0.0), sign * reciprocal, good, Pack8(-1.0));
      good = select_less(abs(reciprocal), Pack8(1e300), good, Pack8(-1.0));
      const Pack8 ratio = abs(scale[i] * reciprocal);
      high = select_less(ratio, high, high, ratio);
      lowest = select_less(ratio, lowest, ratio, lowest);
    }
    const int* offset = lanes.slot(b);
    if (!all_less(Pack8(0.0), good))
      for (int l = 0; l < lanes.batch.lanes; ++l)
        inspect(factor + 8 * block.offset + l, block.size, 8, block.dual, offset[l], plan.position, report);
    if (block.dual && !all_less(high, Pack8(report.weak))) {
      alignas(64) double value[8];
      store(value, high);
      for (int l = 0; l < lanes.batch.lanes; ++l)
        if (value[l] > report.weak) {
          report.weak = value[l];
          report.weak_block = offset[l];
        }
    }
  }
  if (!all_less(Pack8(report.shrink * 0.999999), lowest)) {
    alignas(64) double value[8];
    store(value, lowest);
    for (int l = 0; l < lanes.batch.lanes; ++l)
      if (value[l] < report.shrink) report.shrink = value[l];
  }
}

// What pivots of the other kind in the same front add to the scale of row i of block `row`.
template <bool Symmetric>
Pack8 scale_in_front(const Recipe& recipe, const Block* blocks, const Block& row, int i, const Pack8* F,
                     const double* factor, Pack8 sum) {
  const int k = recipe.pivots, n = k + recipe.rest, inner = k * (k - 1) / 2;
  const double* L = factor + 8 * (k + (i < k ? i * (i - 1) / 2 : inner + (i - k) * k));
  for (int p = 0; p < recipe.pivot_blocks && blocks[p].offset < i; ++p) {
    if (blocks[p].dual == row.dual) continue;
    for (int m = blocks[p].offset; m < blocks[p].offset + blocks[p].size; ++m)
      sum += abs(load(L + 8 * m) * F[Symmetric ? at<true>(i, m, n) : at<false>(m, i, n)]);
  }
  return sum;
}

// scale of the rest rows, to the record
template <bool Symmetric>
void pass_scale(const Plan& plan, const Recipe& recipe, const Pack8* F, const Pack8* scale,
                const double* factor, double* record) {
  const int k = recipe.pivots, r = recipe.rest;
  double* out = record + 8 * r;
  const double* schur = record + 16 * r;
  if (recipe.scale == ScaleRule::own) {
    for (int i = 0; i < r; ++i) store(out + 8 * i, abs(load(schur + 8 * at<Symmetric>(i, i, r))));
    return;
  }
  if (recipe.scale == ScaleRule::passed) {
    for (int i = 0; i < r; ++i) store(out + 8 * i, scale[k + i]);
    return;
  }
  const Block* blocks = plan.block + recipe.block;
  for (int b = recipe.pivot_blocks; b < recipe.pivot_blocks + recipe.rest_blocks; ++b)
    for (int i = blocks[b].offset; i < blocks[b].offset + blocks[b].size; ++i)
      store(out + 8 * (i - k), scale_in_front<Symmetric>(recipe, blocks, blocks[b], i, F, factor, scale[i]));
}

// A body of known structure (Recipe::split): three of its pivots are its mass.
template <bool Symmetric>
void factor_split(const Plan& plan, const Numbers& numbers, const Batch& batch, double* factor,
                  double* store_of_records, double* work, TaskReport& report, Traffic& traffic) {
  const Lanes lanes(plan, batch);
  const Recipe& recipe = lanes.recipe;
  const int r = recipe.rest;
  Pack8* F = reinterpret_cast<Pack8*>(work);
  Pack8 scale[6], mass, per_mass;
  double *const of_rotations = factor + 8, *const of_translations =
                                               of_rotations + 8 * factor_size(3, r, Symmetric, false);
  add_split_body<Symmetric>(plan, lanes, numbers, F, &mass, &per_mass, of_translations);
  for (int i = 0; i < 3; ++i) {
    scale[i] = abs(mass);
    scale[3 + i] = abs(F[at<Symmetric>(i, i, 3 + r)]);
  }
  double* record = store_of_records + batch.record;
  eliminate<Symmetric, 3>(3, r, false, F, of_rotations, record + 16 * r, traffic);
  solve_rest<3>(3, r, Symmetric ? 1 : 2, of_rotations, traffic);
  store(factor, per_mass);
  alignas(64) double reciprocal[6 * 8];
  for (int i = 0; i < 3; ++i) {
    store(reciprocal + 8 * i, per_mass);
    store(reciprocal + 8 * (3 + i), load(of_rotations + 8 * i));
  }
  check_pivots(plan, lanes, reciprocal, scale, report);
  pass_scale<Symmetric>(plan, recipe, F, scale, factor, record);
}

}  // namespace

template <bool Symmetric>
void factor_lanes(const Plan& plan, const Numbers& numbers, const Batch& batch, double* factor,
                  double* scratch, double* work, TaskReport& report, Traffic& traffic) {
  const Lanes lanes(plan, batch);
  const Recipe& recipe = lanes.recipe;
  double* const records = recipe.persistent ? numbers.persistent : scratch;
  if (recipe.split != 0)
    return factor_split<Symmetric>(plan, numbers, batch, factor, records, work, report, traffic);
  const int k = recipe.pivots, r = recipe.rest, n = k + r;
  Pack8* F = reinterpret_cast<Pack8*>(work);
  Pack8* scale = F + n * n;
  const int entries = Symmetric ? n * (n + 1) / 2 : n * n;
  if (!recipe.full_panel || recipe.has_child)
    for (int e = 0; e < entries; ++e) F[e] = Pack8(0.0);
  int o = recipe.op_begin;
  for (; o < recipe.op_end && plan.op[o].kind != OpKind::child; ++o)
    add_matrix<Symmetric>(lanes, numbers, plan.op[o], n, F);
  for (int i = 0; i < k; ++i) scale[i] = abs(F[at<Symmetric>(i, i, n)]);
  for (int i = k; i < n; ++i) scale[i] = Pack8(0.0);
  if (recipe.has_child) {
    for (; o < recipe.op_end; ++o) {
      const Op& op = plan.op[o];
      add_child<Symmetric>(plan, lanes, op, op.persistent ? numbers.persistent : scratch, n, F, scale);
    }
  }
  double* record = records + batch.record;
  eliminate_any<Symmetric>(k, r, !recipe.has_child, F, factor, record + 16 * r, traffic);
  if (keeps_solved_rest(recipe)) {
    const int sides = Symmetric ? 1 : 2;
    k == 6 ? solve_rest<6>(k, r, sides, factor, traffic) : solve_rest<0>(k, r, sides, factor, traffic);
  }
  if (recipe.scale == ScaleRule::general) {
    const Block* blocks = plan.block + recipe.block;
    for (int b = 1; b < recipe.pivot_blocks; ++b)
      for (int i = blocks[b].offset; i < blocks[b].offset + blocks[b].size; ++i)
        scale[i] = scale_in_front<Symmetric>(recipe, blocks, blocks[b], i, F, factor, scale[i]);
  }
  check_pivots(plan, lanes, factor, scale, report);
  pass_scale<Symmetric>(plan, recipe, F, scale, factor, record);
}

template void factor_lanes<true>(const Plan&, const Numbers&, const Batch&, double*, double*, double*,
                                 TaskReport&, Traffic&);
template void factor_lanes<false>(const Plan&, const Numbers&, const Batch&, double*, double*, double*,
                                  TaskReport&, Traffic&);

}  // namespace ldl_front
CATENA_END_DETAIL_ISA
