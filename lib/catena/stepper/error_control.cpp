#include <catena/stepper/detail/error_control.hpp>

#include <algorithm>
#include <limits>

namespace catena::detail {
namespace {

// The tolerance of its kind, where component i has one; else 0.
double of_kind(const SystemLayout& layout, std::size_t i, double of_length, double of_angle) {
  if (i >= layout.rotation.size()) return 0.0;
  return layout.rotation[i] != 0 ? of_angle : of_length;
}

}  // namespace

std::string ErrorControl::attach(const System& system, StepMemory& memory, bool plain) {
  system_ = &system;
  plain_ = plain;
  sized_ = plain || system.layout().q_size == system.layout().v_size();
  advice_ = memory.add("advice", 1);
  error_ = memory.add("error", 1);
  size_ = memory.add("size", 1);
  const KindTolerances& kinds = tolerances_.kinds;
  const SystemLayout& layout = system.layout();
  const bool known = !layout.rotation.empty() && (!plain || layout.q_size == layout.v_size());
  if (known || !(kinds.any_of_positions() || kinds.any_of_velocities())) return {};
  return "this system does not say which of its coordinates are lengths and which are angles: take "
         "tolerances in "
         "characteristic sizes in place of " +
         std::string(kinds.any_of_positions() ? "atol_length and atol_angle"
                                              : "atol_linear_velocity and atol_angular_velocity");
}

double ErrorControl::position_tolerance(std::size_t i, double x) const {
  const SystemLayout& layout = system_->layout();
  const bool has_scale = i < layout.scale.size() && (!plain_ || layout.q_size == layout.v_size());
  const double size = has_scale ? layout.scale[i] : 1.0;
  const KindTolerances& kinds = tolerances_.kinds;
  const double own = of_kind(layout, i, kinds.atol_length, kinds.atol_angle);
  // Without a size of its own the relative tolerance of a coordinate is an absolute one too.
  if (own > 0.0) return own + (sized_ ? tolerances_.rtol_position * std::abs(x) : 0.0);
  return tolerances_.atol_position * size + tolerances_.rtol_position * (sized_ ? std::abs(x) : size);
}

double ErrorControl::velocity_tolerance(std::size_t i, double v) const {
  const SystemLayout& layout = system_->layout();
  const KindTolerances& kinds = tolerances_.kinds;
  const double own = of_kind(layout, i, kinds.atol_linear_velocity, kinds.atol_angular_velocity);
  return (own > 0.0 ? own : tolerances_.atol_velocity * layout.scale[i]) +
         tolerances_.rtol_velocity * std::abs(v);
}

double ErrorControl::limited(double h) const {
  return tolerances_.max_step > 0.0 ? std::min(h, tolerances_.max_step) : h;
}

void ErrorControl::begin(State& state, double first) const {
  advice_.value(state) = limited(first);
  error_.value(state) = StepController::least_error;
  size_.value(state) = 0.0;
}

double ErrorControl::accept(State& state, double h, double asked, double error, bool rejected) const {
  const double before = size_.value(state);
  const double next = limited(controller_.next({.h = h,
                                                .error = error,
                                                .error_before = error_.value(state),
                                                .ratio = before > 0.0 ? h / before : 1.0,
                                                .asked = asked,
                                                .advised = advice_.value(state),
                                                .rejected = rejected}));
  error_.value(state) = std::max(error, StepController::least_error);
  size_.value(state) = h;
  return advice_.value(state) = next;
}

bool ErrorControl::vanishes(double h, double t, double asked) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  return !(h > 16.0 * epsilon * std::max(std::abs(t), asked * epsilon));
}

}  // namespace catena::detail
