#include <catena/driver/drift_remark.hpp>
#include <catena/system/row_length.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace catena {

std::string drift_remark(const System& system, const Traits& traits, const State& state) {
  constexpr double visible = 1e-3;  // of the largest body or arm
  const BlockPattern& pattern = *system.layout().pattern;
  if (traits.position_residual || pattern.dual_count() == 0) return {};
  std::vector<double> gaps(static_cast<std::size_t>(pattern.dual_dimension));
  Evaluation wanted;
  wanted.position = gaps.data();
  system.evaluate(point_of(state), wanted);
  const auto smaller = [](double x, double y) { return std::abs(x) < std::abs(y); };
  const auto worst = std::max_element(gaps.begin(), gaps.end(), smaller);
  if (!(std::abs(*worst) > visible * size_of_gaps(system.layout()))) return {};
  char gap[40];
  std::snprintf(gap, sizeof gap, "%.2g", std::abs(*worst));
  const int component = pattern.primal_dimension + static_cast<int>(worst - gaps.begin());
  return system.constraint_name(pattern.block_of(component)) + " stands open by " + gap +
         " m or rad: " + traits.name +
         " does not keep positions; take a smaller step, or a form that does, as index = 3";
}

}  // namespace catena
