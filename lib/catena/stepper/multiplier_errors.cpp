#include <catena/math/detail/index.hpp>
#include <catena/stepper/detail/multiplier_errors.hpp>
#include <catena/system/detail/evaluations.hpp>
#include <catena/system/detail/row_length.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace catena::detail {
namespace {

// of(row, size): every row with what a unit of force is beside it, 1, or of a torque the reach of its joint [m].
template <class Function>
void for_each_row(const SystemLayout& layout, Function of) {
  const BlockPattern& p = *layout.pattern;
  for (int d = 0; d < p.dual_count(); ++d) {
    const int first = p.dual_offset[index(d)] - p.primal_dimension, lengths = layout.lengths(d);
    for (int k = 0; k < p.dual_size[index(d)]; ++k)
      of(first + k, k < lengths ? 1.0 : size_of_gaps(layout, d));
  }
}

}  // namespace

void MultiplierErrors::attach(const System& system) {
  system_ = &system;
  recomputed_.reset();
  if (wanted_ && system.layout().lambda_size() > 0) recomputed_.emplace(system);
}

// Of M a, torques by the characteristic length of 1 rad.
double MultiplierErrors::largest_inertia_force(const State& end) {
  const SystemLayout& layout = system_->layout();
  inertia_.assign(index(layout.v_size()), 0.0);
  Point at = point_of(end);
  at.v = nullptr;
  evaluate_inertia(*system_, at, end.a.data(), inertia_.data());
  double largest = 0.0;
  for (std::size_t i = 0; i < inertia_.size(); ++i)
    largest = std::max(largest, std::abs(inertia_[i]) / layout.scale[i]);
  return largest;
}

LocalError MultiplierErrors::operator()(const State& end, const double* lambda, const double* other) {
  // Multipliers carry the roundoff of the forces that they balance: a mechanism whose joints carry nothing has no others.
  constexpr double roundoff = 64.0 * std::numeric_limits<double>::epsilon();
  double largest = 0.0;
  for_each_row(system_->layout(), [&](int row, double size) {
    largest = std::max({largest, std::abs(lambda[row]) / size, std::abs(other[row]) / size});
  });
  const double enough = std::max(rtol_ * largest, roundoff * std::max(largest, largest_inertia_force(end)));
  LocalError error;
  const int n = system_->layout().v_size();
  for_each_row(system_->layout(), [&](int row, double size) {
    error.add(lambda[row] - other[row], atol_ + enough * size, n + row);
  });
  return error;
}

}  // namespace catena::detail
