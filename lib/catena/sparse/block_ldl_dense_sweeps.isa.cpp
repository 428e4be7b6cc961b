// One large front at a time: both sweeps of a solve.
#include <catena/sparse/detail/block_ldl_dense.hpp>

CATENA_BEGIN_DETAIL_ISA
namespace ldl_front {

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
  const double* L =
      numbers.factor + batch.factor + padded(d.k) + (!Symmetric && numbers.transposed ? d.k * d.ld : 0);
  for (int c = 0; c < d.k; ++c) {
    const Pack8 y(z[c]);
    for (int i = (c + 1) & ~7; i < d.ld; i += 8) store(z + i, nmadd(load(L + c * d.ld + i), y, load(z + i)));
  }
  for (int i = 0; i < d.k; ++i) numbers.forward[batch.forward + i] = z[i];
  double* record = (d.recipe.persistent ? numbers.persistent : scratch) + batch.record;
  for (int i = 0; i < d.r; ++i) record[i] = z[d.k + i];
}

template <bool Symmetric>
void backward_dense(const Plan& plan, const Numbers& numbers, const Batch& batch, double* work, double* x) {
  const Dense d(plan, batch);
  const Block* blocks = plan.block + d.recipe.block;
  const double* reciprocal = numbers.factor + batch.factor;
  const double* U = reciprocal + padded(d.k) + (Symmetric || numbers.transposed ? 0 : d.k * d.ld);
  double* z = work;
  for (int i = 0; i < d.ld; ++i) z[i] = 0.0;
  for (int b = d.recipe.pivot_blocks; b < d.recipe.pivot_blocks + d.recipe.rest_blocks; ++b)
    for (int i = 0; i < blocks[b].size; ++i) z[blocks[b].offset + i] = x[d.index[b] + i];
  for (int c = d.k - 1; c >= 0; --c) {
    Pack8 sum(0.0);
    for (int i = (c + 1) & ~7; i < d.ld; i += 8) sum = madd(load(U + c * d.ld + i), load(z + i), sum);
    z[c] = reciprocal[c] * numbers.forward[batch.forward + c] - sum_of_lanes(sum);
  }
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
