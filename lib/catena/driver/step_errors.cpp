#include <catena/driver/detail/step_errors.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/system/detail/scaled.hpp>

#include <algorithm>
#include <cmath>

namespace catena::detail {

void StepErrors::attach(const System& system, const Stepper& stepper, const State& state) {
  const Traits& traits = stepper.traits();
  system_ = traits.order_v == 1 && !traits.chooses_step ? &system : nullptr;
  if (system_ == nullptr) return;
  rate_.assign(state.v.size(), 0.0);
  sum_ = rate_;
  path_ = rate_;
  duration_ = 0.0;
  steps_ = 0;
  begin_anew(state);
}

void StepErrors::begin_anew(const State& state) {
  if (system_ == nullptr) return;
  v_ = state.v;
  h_ = 0.0;
}

void StepErrors::add(const State& state, double h) {
  if (system_ == nullptr || !(h > 0.0)) return;
  for (std::size_t k = 0; k < v_.size(); ++k) {
    const double rate = (state.v[k] - v_[k]) / h;
    if (h_ > 0.0) sum_[k] += h * h * std::abs(rate - rate_[k]) / (h + h_);  // h^2 |v''| / 2
    rate_[k] = rate;
    v_[k] = state.v[k];
    path_[k] += h * std::abs(v_[k]);
  }
  h_ = h;
  duration_ += h;
  ++steps_;
}

std::string StepErrors::remark() const {
  constexpr double much = 1.0;     // of the mean speed: errors as large as the motion
  constexpr double moving = 0.01;  // components slower than this part of the fastest say nothing
  if (system_ == nullptr || steps_ < 2) return {};
  const SystemLayout& layout = system_->layout();
  const std::vector<double>& scale = layout.scale;
  const double longest = std::max(speed_at_rest * duration_, largest_scaled(layout, path_.data()));
  double worst = 0.0;
  for (std::size_t k = 0; k < path_.size(); ++k)
    if (path_[k] > moving * longest * scale[k]) worst = std::max(worst, sum_[k] * duration_ / path_[k]);
  if (!(worst > much)) return {};
  return printed(
      "the errors of the steps, of order 1, add up to %.2g times the mean speed: the motion shown may be "
      "another one, singular elsewhere or not at all; take a smaller step or a method of order 2",
      worst);
}

}  // namespace catena::detail
