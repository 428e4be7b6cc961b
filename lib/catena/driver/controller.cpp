#include <catena/driver/detail/sampling_elements.hpp>
#include <catena/driver/detail/thrown.hpp>
#include <catena/driver/parts/controller.hpp>
#include <catena/math/detail/named_error.hpp>
#include <catena/math/detail/printed.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace catena {

ControllerSchedule::ControllerSchedule(const System& system, const std::vector<Controller*>& controllers)
    : system_(system), of_model_(detail::sampling_elements(system)), controllers_(controllers) {
  for (const auto& controller : of_model_) controllers_.push_back(controller.get());
  std::size_t at = static_cast<std::size_t>(system.layout().discrete_size);
  for (const Controller* controller : controllers_) {
    offset_.push_back(at);
    if (controller == nullptr) continue;  // a run with none there is refused
    int size = 0;
    try {
      size = controller->memory_size();
    } catch (...) {  // prepare() says so
    }
    at += 1 + static_cast<std::size_t>(std::max(0, size));
  }
  offset_.push_back(at);
}

// Sampling elements have the label of their force or joint.
std::string ControllerSchedule::label_of(std::size_t c) const {
  const std::string name = controllers_[c]->name();
  return c + of_model_.size() < controllers_.size() ? "controller \"" + name + '"' : name;
}

std::string ControllerSchedule::prepare(State& state) const {
  for (std::size_t c = 0; c < controllers_.size(); ++c) {
    double period = 0.0, first = 0.0;
    int size = 0;
    try {
      period = controllers_[c]->period();
      first = controllers_[c]->first_sample();
      size = controllers_[c]->memory_size();
    } catch (...) {
      detail::rethrow_named(label_of(c));
    }
    if (size < 0) return label_of(c) + ": its memory_size() must be 0 or more; it is " + std::to_string(size);
    if (!(period >= 0.0) || std::isinf(period))
      return label_of(c) +
             detail::printed(
                 ": its period() must be positive, or 0 for a sample after every step; it is %g s",
                 std::isnan(period) ? std::abs(period) : period);
    if (!(first > -std::numeric_limits<double>::infinity()))
      return label_of(c) + ": its first_sample() must be a time, and is no finite number";
    // Samples are counted; of more than this the number of the next one has no digit behind the point.
    constexpr double most_samples = 1e15;
    if (period > 0.0 && (state.t - first) / period > most_samples)
      return label_of(c) +
             detail::printed(": its first_sample() = %g s is more than 1e15 periods before the start", first);
  }
  const auto own = static_cast<std::size_t>(system_.layout().discrete_size);
  if (controllers_.empty() || state.discrete.size() == offset_.back()) return {};
  if (state.discrete.size() != own)
    return "the state has " + std::to_string(state.discrete.size()) + " discrete values, the system has " +
           std::to_string(own) + " and with these controllers " + std::to_string(offset_.back());
  state.discrete.resize(offset_.back(), 0.0);
  for (std::size_t c = 0; c < controllers_.size(); ++c) {
    Controller& controller = *controllers_[c];
    double* values = state.discrete.data() + offset_[c];
    const double passed = state.t - controller.first_sample();
    if (passed > 0.0 && controller.period() > 0.0)
      values[0] = std::ceil(passed / controller.period() * (1.0 - 1e-12));
    try {
      controller.begin(system_, values + 1);
    } catch (...) {
      detail::rethrow_named(label_of(c));
    }
  }
  return {};
}

double ControllerSchedule::next_instant(const State& state) const {
  double next = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < controllers_.size(); ++c) {
    const Controller& controller = *controllers_[c];
    const double t = instant(controller, state.discrete[offset_[c]]);
    if (controller.period() > 0.0 || t > state.t) next = std::min(next, t);
  }
  return next;
}

double ControllerSchedule::shortest_period() const {
  double shortest = std::numeric_limits<double>::infinity();
  for (const Controller* controller : controllers_)
    if (controller->period() > 0.0) shortest = std::min(shortest, controller->period());
  return shortest;
}

bool ControllerSchedule::sample(State& state, double roundoff, long& samples) const {
  const auto own = static_cast<std::size_t>(system_.layout().discrete_size);
  const long samples_before = samples;
  const std::vector<double> unsampled = state.discrete;
  bool changed = false;
  for (std::size_t c = 0; c < controllers_.size(); ++c) {
    Controller& controller = *controllers_[c];
    double* values = state.discrete.data() + offset_[c];
    if (instant(controller, values[0]) > state.t + roundoff) continue;
    const std::vector<double> before(state.discrete.begin(),
                                     state.discrete.begin() + static_cast<std::ptrdiff_t>(own));
    try {
      controller.sample(state, state.discrete.data(), values + 1);
    } catch (...) {  // none of them has sampled
      state.discrete = unsampled;
      samples = samples_before;
      detail::rethrow_named(label_of(c));
    }
    for (std::size_t k = 0; k < own; ++k)
      if (std::isnan(state.discrete[k]) && !std::isnan(before[k])) {
        const double lost = state.discrete[k];
        state.discrete = unsampled;
        samples = samples_before;
        throw detail::LostValue(
            {label_of(c), "value", lost,
             detail::printed(
                 "the sample at t = %.9g s sets discrete value %zu of the system, counted from 0, to "
                 "a number that is none",
                 state.t, k)});
      }
    values[0] += 1.0;
    ++samples;
    changed =
        changed || (own > 0 && std::memcmp(before.data(), state.discrete.data(), own * sizeof(double)) != 0);
  }
  return changed;
}

}  // namespace catena
