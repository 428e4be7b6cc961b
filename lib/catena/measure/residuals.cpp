#include <catena/measure/parts/residuals.hpp>

#include <cmath>
#include <limits>

namespace catena {

ResidualMeter::ResidualMeter(const System& system) : system_(system) {
  const std::size_t rows = static_cast<std::size_t>(system.layout().lambda_size());
  position_.resize(rows);
  velocity_.resize(rows);
  acceleration_.resize(rows);
}

WorstRow ResidualMeter::worst(const std::vector<double>& rows) const {
  WorstRow found;
  const BlockPattern& pattern = *system_.layout().pattern;
  for (int block = 0; block < pattern.dual_count(); ++block) {
    const std::size_t b = static_cast<std::size_t>(block);
    const int begin = pattern.dual_offset[b] - pattern.primal_dimension;
    for (int k = begin; k < begin + pattern.dual_size[b]; ++k) {
      const double size = std::abs(rows[static_cast<std::size_t>(k)]);
      if (std::isnan(size)) return {size, block};
      if (found.constraint < 0 || size > found.value) found = {size, block};
    }
  }
  return found;
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
