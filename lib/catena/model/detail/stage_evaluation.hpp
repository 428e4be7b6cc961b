// One group of a stage by its compiled function, with what the pool adds at the time of the evaluation.
#pragma once
#include <catena/model/detail/element_pool.hpp>
#include <catena/model/detail/lane_functions.hpp>

namespace catena::detail {

inline void evaluate_stage(const ElementPool& pool, const Stage& stage, GroupFunction function,
                           const KernelArgs& args, const ElementGroup& group) {
  if (!stage.targets) return function(args, group);
  alignas(64) double targets[3 * 8];
  pool.targets(group, args.t, targets);
  KernelArgs with_targets = args;
  with_targets.targets = targets;
  function(with_targets, group);
}

}  // namespace catena::detail
