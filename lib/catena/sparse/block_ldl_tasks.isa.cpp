// The batches of a task one after another, and the table of kernels.
#include <catena/sparse/block_ldl_front.hpp>
#include <catena/sparse/block_ldl_kernels.hpp>

CATENA_BEGIN_ISA
namespace ldl_front {
namespace {

// What the factorisation of a batch in lanes reads of the matrix.
inline void add_matrix(const Plan& plan, const Numbers& numbers, const Batch& batch, Ahead& ahead) {
  if (batch.dense) return;
  const Recipe& recipe = plan.recipe[batch.recipe];
  for (int o = recipe.op_begin; o < recipe.op_end; ++o) {
    const Op& op = plan.op[o];
    const bool diagonal = op.kind == OpKind::diagonal;
    if (!diagonal && op.kind != OpKind::border) return;  // the other kinds come behind
    const double* pool = diagonal ? numbers.H : numbers.C;
    const int packs = op.rows * (diagonal ? op.rows : op.cols);
    const int* lane = plan.index + batch.index + 8 * op.slot;
    ahead.add(pool + (lane[0] & ~7), packs);
    if ((lane[7] & ~7) != (lane[0] & ~7)) ahead.add(pool + (lane[7] & ~7), packs);
  }
}

template <bool Symmetric>
inline void add_factor(const Plan& plan, const Numbers& numbers, const Batch& batch, Ahead& ahead) {
  if (batch.dense) return;
  const Recipe& recipe = plan.recipe[batch.recipe];
  ahead.add(numbers.factor + batch.factor, factor_size(recipe.pivots, recipe.rest, Symmetric, false));
  ahead.add(numbers.forward + batch.forward, recipe.pivots);
}

template <bool Symmetric>
void factor(const Plan& plan, const Numbers& numbers, int begin, int end, double* scratch, double* work,
            double* x, TaskReport* report) {
  for (int b = begin; b < end; ++b) {
    const Batch& batch = plan.batch[b];
    Ahead ahead;
    if (plan.far && b + 1 < end) {
      add_matrix(plan, numbers, plan.batch[b + 1], ahead);
    }
    if (batch.dense) {
      factor_dense<Symmetric>(plan, numbers, batch, scratch, work, *report);
      if (x != nullptr) forward_dense<Symmetric>(plan, numbers, batch, scratch, work, x);
      continue;
    }
    double* kept = numbers.factor + batch.factor;
    factor_lanes<Symmetric>(plan, numbers, batch, kept, scratch, work, *report, ahead);
    ahead.issue_all();
    if (x != nullptr) forward_lanes<Symmetric>(plan, numbers, batch, kept, scratch, x);
  }
}

template <bool Symmetric>
void forward(const Plan& plan, const Numbers& numbers, int begin, int end, double* scratch, double* work,
             double* x) {
  for (int b = begin; b < end; ++b) {
    if (plan.batch[b].dense)
      forward_dense<Symmetric>(plan, numbers, plan.batch[b], scratch, work, x);
    else
      forward_lanes<Symmetric>(plan, numbers, plan.batch[b], numbers.factor + plan.batch[b].factor, scratch,
                               x);
  }
}

// Levels from the top down, the batches of a level in the order in which they lie in memory.
template <bool Symmetric>
void backward(const Plan& plan, const Numbers& numbers, int begin, int end, double* work, double* x) {
  while (end > begin) {
    int first = end - 1;
    while (first > begin && plan.batch[first - 1].level == plan.batch[end - 1].level) --first;
    for (int b = first; b < end; ++b) {
      const Batch& batch = plan.batch[b];
      if (plan.far && b + 1 < end) {
        Ahead ahead;
        add_factor<Symmetric>(plan, numbers, plan.batch[b + 1], ahead);
        ahead.issue_all();
      }
      if (batch.dense)
        backward_dense<Symmetric>(plan, numbers, batch, work, x);
      else
        backward_lanes<Symmetric>(plan, numbers, batch, x);
    }
    end = first;
  }
}

}  // namespace
}  // namespace ldl_front

const ldl::Kernels& ldl_kernels(bool symmetric) {
  using namespace ldl_front;
  static constexpr ldl::Kernels ldlt = {factor<true>, forward<true>, backward<true>};
  static constexpr ldl::Kernels ldu = {factor<false>, forward<false>, backward<false>};
  return symmetric ? ldlt : ldu;
}

CATENA_END_ISA
