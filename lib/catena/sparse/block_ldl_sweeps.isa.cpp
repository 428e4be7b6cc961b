// Fronts eight at a time, one per lane: both sweeps of a solve.
#include <catena/sparse/detail/block_ldl_lane_assembly.hpp>

CATENA_BEGIN_DETAIL_ISA
namespace ldl_front {

namespace {

template <int K>
inline void forward_sweep(int k_, int r, const double* L, Pack8* z, Traffic& traffic) {
  const int k = K > 0 ? K : k_;
  CATENA_UNROLL
  for (int i = 1; i < k; ++i) {
    Pack8 sum = z[i];
    for (int m = 0; m < i; ++m, L += 8) sum = nmadd(load(L), z[m], sum);
    z[i] = sum;
  }
  for (int i = k; i < k + r; ++i) {
    Pack8 sum = z[i];
    CATENA_UNROLL
    for (int m = 0; m < k; ++m, L += 8) sum = nmadd(load(L), z[m], sum);
    z[i] = sum;
    traffic.step();
  }
}

// Of a front that keeps its rest solved: z becomes A11^-1 z in the pivots, -A21 A11^-1 z in the rest.
template <int K>
inline void forward_solved(int k_, int r, const double* d, const double* L, const double* U, Pack8* z,
                           Traffic& traffic) {
  const int k = K > 0 ? K : k_;
  const double* rest = L + 8 * (k * (k - 1) / 2);
  for (int i = k; i < k + r; ++i) {
    Pack8 sum = z[i];
    CATENA_UNROLL
    for (int m = 0; m < k; ++m, rest += 8) sum = nmadd(load(rest), z[m], sum);
    z[i] = sum;
    traffic.step();
  }
  CATENA_UNROLL
  for (int i = 1; i < k; ++i) {
    Pack8 sum = z[i];
    for (int m = 0; m < i; ++m, L += 8) sum = nmadd(load(L), z[m], sum);
    z[i] = sum;
  }
  CATENA_UNROLL
  for (int i = 0; i < k; ++i) z[i] = load(d + 8 * i) * z[i];
  CATENA_UNROLL
  for (int i = k - 1; i > 0; --i)
    for (int m = 0; m < i; ++m) z[m] = nmadd(load(U + 8 * (i * (i - 1) / 2 + m)), z[i], z[m]);
}

template <int K>
inline void backward_solved(int k_, int r, const double* rest_rows, const Pack8* rest, Pack8* t,
                            Traffic& traffic) {
  const int k = K > 0 ? K : k_;
  for (int i = 0; i < r; ++i) {
    CATENA_UNROLL
    for (int m = 0; m < k; ++m, rest_rows += 8) t[m] = nmadd(load(rest_rows), rest[i], t[m]);
    traffic.step();
  }
}

template <int K>
inline void backward_sweep(int k_, int r, const double* U, const Pack8* rest, Pack8* t, Traffic& traffic) {
  const int k = K > 0 ? K : k_;
  const double* row = U + 8 * (k * (k - 1) / 2);
  for (int i = 0; i < r; ++i) {
    CATENA_UNROLL
    for (int m = 0; m < k; ++m, row += 8) t[m] = nmadd(load(row), rest[i], t[m]);
    traffic.step();
  }
  CATENA_UNROLL
  for (int i = k - 1; i > 0; --i)
    for (int m = 0; m < i; ++m) t[m] = nmadd(load(U + 8 * (i * (i - 1) / 2 + m)), t[i], t[m]);
}

// Where a split body (Recipe::split) keeps its rotations, and s over the mass of the blocks of C or, where `of_B`, of B.
template <bool Symmetric>
struct SplitFactor {
  const double *per_mass, *reciprocal, *translations;
  SplitFactor(const Recipe& recipe, const double* factor, bool of_B)
      : per_mass(factor),
        reciprocal(factor + 8),
        translations(reciprocal + 8 * (factor_size(3, recipe.rest, Symmetric, false) +
                                       (!Symmetric && of_B ? recipe.rest_blocks : 0))) {}
  // Strict rows of L11 and the rows below, or of U^T.
  const double* side(const Recipe& recipe, bool upper) const {
    return reciprocal + 8 * (3 + (!Symmetric && upper ? 3 + 3 * recipe.rest : 0));
  }
};

// As forward_solved().
template <bool Symmetric>
inline void forward_split(const Recipe& recipe, const Block* blocks, const double* factor, bool transposed,
                          Pack8* z, Traffic& traffic) {
  const SplitFactor<Symmetric> of(recipe, factor, transposed);
  for (int b = 0; b < recipe.rest_blocks; ++b) {
    const Pack8 s = load(of.translations + 8 * b);
    Pack8* rows = z + blocks[recipe.pivot_blocks + b].offset;
    for (int i = 0; i < 3; ++i) rows[i] = nmadd(s, z[i], rows[i]);
  }
  forward_solved<3>(3, recipe.rest, of.reciprocal, of.side(recipe, transposed), of.side(recipe, !transposed),
                    z + 3, traffic);
  for (int i = 0; i < 3; ++i) z[i] = load(of.per_mass) * z[i];
}

template <bool Symmetric>
inline void backward_split(const Recipe& recipe, const Block* blocks, const double* factor, bool transposed,
                           const Pack8* rest, Pack8* t, Traffic& traffic) {
  const SplitFactor<Symmetric> of(recipe, factor, !transposed);
  constexpr int strict = 3;  // entries of L11 or U11
  backward_solved<3>(3, recipe.rest, of.side(recipe, !transposed) + 8 * strict, rest, t + 3, traffic);
  for (int b = 0; b < recipe.rest_blocks; ++b) {
    const Pack8 s = load(of.translations + 8 * b);
    const Pack8* rows = rest + blocks[recipe.pivot_blocks + b].offset - recipe.pivots;
    for (int i = 0; i < 3; ++i) t[i] = nmadd(s, rows[i], t[i]);
  }
}

}  // namespace

template <bool Symmetric>
void forward_lanes(const Plan& plan, const Numbers& numbers, const Batch& batch, const double* factor,
                   double* scratch, double* x, Traffic& traffic) {
  const Lanes lanes(plan, batch);
  const Recipe& recipe = lanes.recipe;
  const int k = recipe.pivots, r = recipe.rest;
  const Block* blocks = plan.block + recipe.block;
  Pack8 z[widest_lane_batch];
  for (int b = 0; b < recipe.pivot_blocks; ++b)
    for (int i = 0; i < blocks[b].size; ++i) z[blocks[b].offset + i] = gather(x + i, lanes.slot(b));
  for (int i = k; i < k + r; ++i) z[i] = Pack8(0.0);
  if (recipe.has_child)
    for (int o = recipe.op_begin; o < recipe.op_end; ++o) {
      const Op& op = plan.op[o];
      if (op.kind != OpKind::child) continue;
      const int* map = plan.map + op.map;
      const int stride = op.dense ? 1 : 8;
      read(op.dense ? Access::gathered : lanes.access[op.slot], op.persistent ? numbers.persistent : scratch,
           lanes.slot(op.slot), [&](auto child) {
             for (int i = 0; i < op.rows; ++i) z[map[i]] += child(stride * i);
           });
    }
  const bool transposed = numbers.transposed != 0;
  const double* L = factor + 8 * (k + (!Symmetric && numbers.transposed ? k * (k - 1) / 2 + k * r : 0));
  if (recipe.split != 0) {
    forward_split<Symmetric>(recipe, blocks, factor, transposed, z, traffic);
  } else if (keeps_solved_rest(recipe)) {
    const double* U = factor + 8 * (k + (Symmetric || numbers.transposed ? 0 : k * (k - 1) / 2 + k * r));
    CATENA_LDL_FOR(k, forward_solved, (k, r, factor, L, U, z, traffic));
  } else {
    CATENA_LDL_FOR(k, forward_sweep, (k, r, L, z, traffic));
  }
  double* forward = numbers.forward + batch.forward;
  for (int i = 0; i < k; ++i) store(forward + 8 * i, z[i]);
  double* record = (recipe.persistent ? numbers.persistent : scratch) + batch.record;
  for (int i = 0; i < r; ++i) store(record + 8 * i, z[k + i]);
}

template <bool Symmetric>
void backward_lanes(const Plan& plan, const Numbers& numbers, const Batch& batch, double* x,
                    Traffic& traffic) {
  const Lanes lanes(plan, batch);
  const Recipe& recipe = lanes.recipe;
  const int k = recipe.pivots, r = recipe.rest;
  const Block* blocks = plan.block + recipe.block;
  const double* factor = numbers.factor + batch.factor;
  const double* forward = numbers.forward + batch.forward;
  Pack8 t[widest_lane_batch], rest[widest_lane_batch];
  for (int b = recipe.pivot_blocks; b < recipe.pivot_blocks + recipe.rest_blocks; ++b)
    for (int i = 0; i < blocks[b].size; ++i) rest[blocks[b].offset - k + i] = gather(x + i, lanes.slot(b));
  const bool solved = keeps_solved_rest(recipe);
  for (int i = 0; i < k; ++i)
    t[i] = solved ? load(forward + 8 * i) : load(factor + 8 * i) * load(forward + 8 * i);
  const double* U = factor + 8 * (k + (Symmetric || numbers.transposed ? 0 : k * (k - 1) / 2 + k * r));
  if (recipe.split != 0) {
    backward_split<Symmetric>(recipe, blocks, factor, numbers.transposed != 0, rest, t, traffic);
  } else if (solved) {
    const double* rows = U + 8 * (k * (k - 1) / 2);
    CATENA_LDL_FOR(k, backward_solved, (k, r, rows, rest, t, traffic));
  } else {
    CATENA_LDL_FOR(k, backward_sweep, (k, r, U, rest, t, traffic));
  }
  for (int b = 0; b < recipe.pivot_blocks; ++b)
    for (int i = 0; i < blocks[b].size; ++i) scatter(x + i, lanes.slot(b), t[blocks[b].offset + i]);
}

template void forward_lanes<true>(const Plan&, const Numbers&, const Batch&, const double*, double*, double*,
                                  Traffic&);
template void forward_lanes<false>(const Plan&, const Numbers&, const Batch&, const double*, double*, double*,
                                   Traffic&);
template void backward_lanes<true>(const Plan&, const Numbers&, const Batch&, double*, Traffic&);
template void backward_lanes<false>(const Plan&, const Numbers&, const Batch&, double*, Traffic&);

}  // namespace ldl_front
CATENA_END_DETAIL_ISA
