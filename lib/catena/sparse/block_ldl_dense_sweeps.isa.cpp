// One large front at a time: both sweeps of a solve.
#include <catena/sparse/detail/block_ldl_dense.hpp>

CATENA_BEGIN_DETAIL_ISA
namespace ldl_front {
namespace {

// Eight pivots at a time, whose unknowns stay in one pack: a pack that is loaded behind the store of one of its numbers waits
// for it, and each pivot waits for the one before.

// z[i] -= L[i, c] z[c] for i > c, from the first pivot to the last.
void forward_columns(const double* L, int ld, int k, double* z) {
  for (int first = 0; first < k; first += 8) {
    const int end = first + 8 < k ? first + 8 : k;
    Pack8 x = load(z + first);
    for (int c = first; c < end; ++c) x = nmadd(load(L + c * ld + first), broadcast_lane(x, c - first), x);
    store(z + first, x);
    for (int i = first + 8; i < ld; i += 8) {
      Pack8 sum = load(z + i);
      for (int c = first; c < end; ++c) sum = nmadd(load(L + c * ld + i), Pack8(z[c]), sum);
      store(z + i, sum);
    }
  }
}

// z[c] = forward[c] / d[c] - sum over i > c of U[i, c] z[i], from the last pivot to the first. z is 0 before row k.
void backward_columns(const double* U, const double* triangles, int ld, const double* reciprocal,
                      const double* forward, int k, double* z) {
  for (int first = (k - 1) & ~7; first >= 0; first -= 8) {
    const int end = first + 8 < k ? first + 8 : k;
    alignas(64) double t[8];
    store(t, load(z + first));
    for (int c = first; c < end; ++c) {
      Pack8 sum(0.0);
      for (int i = end == k ? first : first + 8; i < ld; i += 8)
        sum = madd(load(U + c * ld + i), load(z + i), sum);
      t[c - first] = reciprocal[c] * forward[c] - sum_of_lanes(sum);
    }
    Pack8 x = load(t);
    for (int m = end - 1; m > first; --m) x = nmadd(load(triangles + 8 * m), broadcast_lane(x, m - first), x);
    store(z + first, x);
  }
}

}  // namespace

template <bool Symmetric>
void forward_dense(const Plan& plan, const Numbers& numbers, const Batch& batch, double* scratch,
                   double* work, const double* x) {
  const Dense d(plan, batch);
  const Block* blocks = plan.block + d.recipe.block;
  double* z = work;
  for (int i = 0; i < d.ld; ++i) z[i] = 0.0;
  for (int b = 0; b < d.recipe.pivot_blocks; ++b)
    for (int i = 0; i < blocks[b].size; ++i) z[blocks[b].offset + i] = x[d.index[b] + i];
  for (int o = d.recipe.op_begin; o < d.recipe.op_end; ++o) {
    const Op& op = plan.op[o];
    if (op.kind < OpKind::child) continue;
    const double* child = (op.persistent ? numbers.persistent : scratch) + d.index[op.slot];
    const int* map = plan.map + op.map;
    if (op.kind == OpKind::children) {
      for (int i = 0; i < op.rows; ++i) z[map[i]] += sum_of_lanes(load(child + 8 * i));
      continue;
    }
    const int stride = op.dense ? 1 : 8;
    for (int i = 0; i < op.rows; ++i) z[map[i]] += child[stride * i];
  }
  const double* L = d.columns(numbers.factor + batch.factor, !Symmetric && numbers.transposed);
  forward_columns(L, static_cast<int>(d.ld), d.k, z);
  for (int i = 0; i < d.k; ++i) numbers.forward[batch.forward + i] = z[i];
  double* record = (d.recipe.persistent ? numbers.persistent : scratch) + batch.record;
  for (int i = 0; i < d.r; ++i) record[i] = z[d.k + i];
}

template <bool Symmetric>
void backward_dense(const Plan& plan, const Numbers& numbers, const Batch& batch, double* work, double* x) {
  const Dense d(plan, batch);
  const Block* blocks = plan.block + d.recipe.block;
  double* const factor = numbers.factor + batch.factor;
  const bool upper = !Symmetric && !numbers.transposed;
  double* z = work;
  for (int i = 0; i < d.ld; ++i) z[i] = 0.0;
  for (int b = d.recipe.pivot_blocks; b < d.recipe.pivot_blocks + d.recipe.rest_blocks; ++b)
    for (int i = 0; i < blocks[b].size; ++i) z[blocks[b].offset + i] = x[d.index[b] + i];
  backward_columns(d.columns(factor, upper), d.triangles(factor, Symmetric, upper), static_cast<int>(d.ld),
                   factor, numbers.forward + batch.forward, d.k, z);
  for (int b = 0; b < d.recipe.pivot_blocks; ++b)
    for (int i = 0; i < blocks[b].size; ++i) x[d.index[b] + i] = z[blocks[b].offset + i];
}

template void forward_dense<true>(const Plan&, const Numbers&, const Batch&, double*, double*, const double*);
template void forward_dense<false>(const Plan&, const Numbers&, const Batch&, double*, double*,
                                   const double*);
template void backward_dense<true>(const Plan&, const Numbers&, const Batch&, double*, double*);
template void backward_dense<false>(const Plan&, const Numbers&, const Batch&, double*, double*);

}  // namespace ldl_front
CATENA_END_DETAIL_ISA
