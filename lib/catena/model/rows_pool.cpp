#include <catena/model/detail/lane_functions.hpp>
#include <catena/model/detail/rows_pool.hpp>
#include <catena/model/detail/stage_evaluation.hpp>

#include <vector>

namespace catena::detail {

void evaluate_rows(const ElementPool& pool, const KernelArgs& args, const ElementGroup& group) {
  const std::size_t n = static_cast<std::size_t>(pool.plan().parameters);
  std::vector<double> one(n), interleaved(8 * n);
  for (int l = 0; l < group.count; ++l) {
    pool.parameters(group.first + l, one.data());
    for (std::size_t p = 0; p < n; ++p) interleaved[8 * p + static_cast<std::size_t>(l)] = one[p];
  }
  for (const Stage& stage : pool.plan().stages) {
    ElementGroup part = group;
    for (int i = 0; i < pool.bodies(); ++i) part.C_at[i] += static_cast<std::uint32_t>(8 * 6 * stage.row);
    for (int& at : part.lambda_at) at += stage.row;
    part.parameters = interleaved.data() + 8 * stage.parameter;
    evaluate_stage(pool, stage, lane_functions(0).scalar[stage.function], args, part);
  }
}

}  // namespace catena::detail
