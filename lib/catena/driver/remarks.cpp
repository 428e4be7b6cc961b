#include <catena/driver/detail/remarks.hpp>
#include <catena/driver/parts/run_result.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/system/detail/row_length.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace catena::detail {

namespace {

std::string owner_of(const System& system, std::size_t row) {
  const BlockPattern& pattern = *system.layout().pattern;
  return system.constraint_name(pattern.block_of(pattern.primal_dimension + static_cast<int>(row)));
}

}  // namespace

std::vector<double> gaps_not_kept(const System& system, const Traits& traits, const State& state) {
  if (traits.position_residual) return {};
  std::vector<double> gaps(static_cast<std::size_t>(system.layout().lambda_size()));
  if (gaps.empty()) return gaps;
  Evaluation wanted;
  wanted.position = gaps.data();
  system.evaluate(point_of(state), wanted);
  return gaps;
}

std::optional<Culprit> without_gap(const System& system, const std::vector<double>& gaps) {
  const auto lost = std::find_if_not(gaps.begin(), gaps.end(), [](double g) { return std::isfinite(g); });
  if (lost == gaps.end()) return {};
  return Culprit{owner_of(system, static_cast<std::size_t>(lost - gaps.begin())), "position residual", *lost};
}

std::optional<Remark> drift_remark(const System& system, const std::string& method,
                                   const std::vector<double>& gaps) {
  constexpr double visible = 1e-3;  // of the largest body or arm of the joint
  if (gaps.empty()) return {};
  const LargestGap gap = largest_gap(system.layout(), gaps.data());
  const double* const worst = gaps.data() + gap.row;
  if (!(std::abs(*worst) > visible * gap.of)) return {};
  Culprit joint{owner_of(system, static_cast<std::size_t>(gap.row)), "position residual", *worst};
  std::string text = joint.name + printed(" has a gap of %.2g m or rad: ", std::abs(*worst)) + method +
                     " does not keep positions; take a smaller step, or a form that does, as index = 3";
  return Remark{RemarkKey::drift, std::move(joint), std::move(text)};
}

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
  return {system.constraint_name(pattern.block_of(component)), velocity_removed, *worst};
}

}  // namespace catena::detail
