// One large front at a time: both sweeps of a solve.
#include <catena/sparse/detail/block_ldl_dense.hpp>

CATENA_BEGIN_DETAIL_ISA
namespace ldl_front {
namespace {

// z[c] = forward[c] / d[c] - sum over i > c of U[i, c] z[i], from the last pivot to the first.
void backward(const double* U, std::int64_t ld, const double* reciprocal, const double* forward, int k,
              double* z) {
  for (int c = k - 1; c >= 0; --c) {
    Pack8 sum(0.0);
    for (std::int64_t i = (c + 1) & ~7; i < ld; i += 8) sum = madd(load(U + c * ld + i), load(z + i), sum);
    z[c] = reciprocal[c] * forward[c] - sum_of_lanes(sum);
  }
}

// The same for ld = 8 Packs with z in registers: a load of eight numbers waits for the store of one of them.
template <int Packs>
void backward_in_registers(const double* U, const double* reciprocal, const double* forward, int k,
                           double* z) {
  Pack8 x[Packs];
  CATENA_UNROLL
  for (int q = 0; q < Packs; ++q) x[q] = load(z + 8 * q);
  CATENA_UNROLL
  for (int q = Packs - 1; q >= 0; --q) {
    for (int c = (k < 8 * q + 8 ? k : 8 * q + 8) - 1; c >= 8 * q; --c) {
      Pack8 sum(0.0);
      CATENA_UNROLL
      for (int p = q; p < Packs; ++p) sum = madd(load(U + 8 * (c * Packs + p)), x[p], sum);
      const Pack8 value(reciprocal[c] * forward[c] - sum_of_lanes(sum));
      x[q] = select_less(Pack8(c - 8 * q), lane_numbers(), x[q],
                         value);  // what is before c is overwritten later
    }
    store(z + 8 * q, x[q]);
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
  const double* forward = numbers.forward + batch.forward;
  switch (d.ld) {
    case 8:
      backward_in_registers<1>(U, reciprocal, forward, d.k, z);
      break;
    case 16:
      backward_in_registers<2>(U, reciprocal, forward, d.k, z);
      break;
    case 24:
      backward_in_registers<3>(U, reciprocal, forward, d.k, z);
      break;
    case 32:
      backward_in_registers<4>(U, reciprocal, forward, d.k, z);
      break;
    default:
      backward(U, d.ld, reciprocal, forward, d.k, z);
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
