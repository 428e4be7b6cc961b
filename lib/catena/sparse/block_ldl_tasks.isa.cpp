// The batches of a task one after another, and the table of kernels.
#include <catena/sparse/detail/block_ldl_front.hpp>
#include <catena/sparse/detail/block_ldl_kernels.hpp>

CATENA_BEGIN_DETAIL_ISA
namespace ldl_front {
namespace {

template <bool Symmetric>
void factor(const Plan& plan, const Numbers& numbers, int begin, int end, int next, double* scratch,
            double* work, double* x, TaskReport* report) {
  Traffic traffic(plan, numbers, Symmetric, LinesAhead::Of::factorisation, end, next);
  for (int b = begin; b < end; ++b) {
    const Batch& batch = plan.batch[b];
    if (batch.dense) {
      factor_dense<Symmetric>(plan, numbers, batch, scratch, work, *report);
      if (x != nullptr) forward_dense<Symmetric>(plan, numbers, batch, scratch, work, x);
      continue;
    }
    const Recipe& recipe = plan.recipe[batch.recipe];
    const std::int64_t values = lane_factor_size(recipe, Symmetric);
    double* place = numbers.factor + batch.factor;
    double* made = traffic.buffer(place, values);
    factor_lanes<Symmetric>(plan, numbers, batch, made, scratch, work, *report, traffic);
    if (x != nullptr) forward_lanes<Symmetric>(plan, numbers, batch, made, scratch, x, traffic);
    traffic.keep(made, place, values);
  }
  traffic.finish();
}

template <bool Symmetric>
void forward(const Plan& plan, const Numbers& numbers, int begin, int end, int next, double* scratch,
             double* work, double* x) {
  Traffic traffic(plan, numbers, Symmetric, LinesAhead::Of::forward, end, next);
  for (int b = begin; b < end; ++b) {
    if (plan.batch[b].dense)
      forward_dense<Symmetric>(plan, numbers, plan.batch[b], scratch, work, x);
    else
      forward_lanes<Symmetric>(plan, numbers, plan.batch[b], numbers.factor + plan.batch[b].factor, scratch,
                               x, traffic);
  }
}

// Levels from the top down, the batches of a level in the order in which they lie in memory.
template <bool Symmetric>
void backward(const Plan& plan, const Numbers& numbers, int begin, int end, int next, double* work,
              double* x) {
  Traffic traffic(plan, numbers, Symmetric, LinesAhead::Of::backward, end, next);
  while (end > begin) {
    int first = end - 1;
    while (first > begin && plan.batch[first - 1].level == plan.batch[end - 1].level) --first;
    for (int b = first; b < end; ++b) {
      const Batch& batch = plan.batch[b];
      if (batch.dense)
        backward_dense<Symmetric>(plan, numbers, batch, work, x);
      else
        backward_lanes<Symmetric>(plan, numbers, batch, x, traffic);
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

CATENA_END_DETAIL_ISA
