#include <catena/math/detail/array_kernels.hpp>
#include <catena/math/detail/largest.hpp>
#include <catena/measure/parts/residuals.hpp>

#include <cmath>
#include <limits>

namespace catena {
using namespace detail;

ResidualMeter::ResidualMeter(const System& system) : system_(system) {
  const std::size_t rows = static_cast<std::size_t>(system.layout().lambda_size());
  position_.resize(rows);
  velocity_.resize(rows);
  acceleration_.resize(rows);
}

// A row that is nan is the worst.
WorstRow ResidualMeter::worst(const std::vector<double>& rows) const {
  const BlockPattern& pattern = *system_.layout().pattern;
  const int count = static_cast<int>(rows.size());
  int row = number_of_largest(rows.data(), count);
  if (array_kernels().largest_number(rows.data(), count).not_finite != 0.0)
    for (int k = 0; k < count; ++k)
      if (std::isnan(rows[static_cast<std::size_t>(k)])) {
        row = k;
        break;
      }
  return {std::abs(rows[static_cast<std::size_t>(row)]), pattern.block_of(pattern.primal_dimension + row)};
}

Residuals ResidualMeter::operator()(const State& state) {
  if (position_.empty()) return {};
  const bool has_acceleration = state.a.size() == static_cast<std::size_t>(system_.layout().v_size());
  Point at = point_of(state);
  at.a = has_acceleration ? state.a.data() : nullptr;
  at.lambda = state.lambda.empty() ? nullptr : state.lambda.data();
  Evaluation wanted;
  wanted.position = position_.data();
  wanted.velocity = velocity_.data();
  wanted.acceleration = has_acceleration ? acceleration_.data() : nullptr;
  system_.evaluate(at, wanted);
  Residuals found{worst(position_), worst(velocity_), {}};
  if (has_acceleration)
    found.acceleration = worst(acceleration_);
  else
    found.acceleration.value = std::numeric_limits<double>::quiet_NaN();
  return found;
}

}  // namespace catena
