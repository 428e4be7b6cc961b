#include <catena/math/detail/index.hpp>
#include <catena/system/detail/move_lengths.hpp>

#include <algorithm>

namespace catena::detail {

std::vector<double> move_lengths(const SystemLayout& layout) {
  const BlockPattern& p = *layout.pattern;
  std::vector<double> lengths = layout.scale;
  if (layout.rotation.empty() || layout.reach_of.size() != index(p.dual_count())) return lengths;
  std::vector<double> reach(index(p.primal_count()), 0.0);
  for (const auto& [dual, primal] : p.incidences)
    if (layout.level[index(dual)] == Level::position)
      reach[index(primal)] = std::max(reach[index(primal)], layout.reach_of[index(dual)]);
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    const double at_joints = reach[index(p.block_of(static_cast<int>(k)))];
    if (layout.rotation[k] == 0)
      lengths[k] = std::max(lengths[k], at_joints > 0.0 ? at_joints : layout.reach);
  }
  return lengths;
}

}  // namespace catena::detail
