#include <catena/driver/start_remark.hpp>

#include <algorithm>
#include <cmath>

namespace catena {

Culprit inconsistent_velocity(const System& system, const State& state) {
  const BlockPattern& pattern = *system.layout().pattern;
  if (pattern.dual_count() == 0) return {};
  std::vector<double> residual(static_cast<std::size_t>(pattern.dual_dimension));
  const Point at = point_of(state);
  Evaluation wanted;
  wanted.velocity = residual.data();
  system.evaluate(at, wanted);
  double speed = 1.0;
  for (const double v : state.v) speed = std::max(speed, std::abs(v));
  const auto smaller = [](double x, double y) { return std::abs(x) < std::abs(y); };
  const auto worst = std::max_element(residual.begin(), residual.end(), smaller);
  if (!(std::abs(*worst) > 1e-12 * speed)) return {};
  const int component = pattern.primal_dimension + static_cast<int>(worst - residual.begin());
  return {system.constraint_name(pattern.block_of(component)), "velocity residual removed at the start",
          *worst};
}

}  // namespace catena
