#include <catena/driver/state_between.hpp>
#include <catena/kkt/consistent.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace catena {

State& StateBetween::scratch(const State& sizes) {
  state_.q.resize(sizes.q.size());
  state_.v.resize(sizes.v.size());
  state_.memory.clear();
  return state_;
}

const State& StateBetween::at(double theta, const Stepper& stepper, const State& state, double h) {
  scratch(state);
  state_.t = state.t - (1.0 - theta) * h;
  state_.a = state.a;
  state_.lambda = state.lambda;
  state_.discrete = state.discrete;
  stepper.interpolate(theta, state_.q.data(), state_.v.data());
  if (!attached_) {
    attached_ = true;
    usable_ = kkt_.attach(system_, {}).empty();
  }
  if (!usable_) return state_;
  double length = std::max(1.0, system_.layout().roundoff_length);
  if (system_.layout().roundoff_length == 0.0)
    for (const double x : state_.q) length = std::max(length, std::abs(x));
  constexpr double roundings = 64.0;
  const double tolerance = roundings * std::numeric_limits<double>::epsilon() * length;
  double change = 0.0;
  ConsistentValues consistent(system_, kkt_, state_.discrete.data());
  std::vector<double> q = state_.q;
  if (!state_.lambda.empty()) {
    if (consistent.project_positions(state_.t, q.data(), tolerance, change).status == Status::ok)
      state_.q = q;
    consistent.project_velocities(state_.t, state_.q.data(), state_.v.data(), change);
  }
  consistent.accelerations(state_.t, state_.q.data(), state_.v.data(), state_.a.data(), state_.lambda.data());
  return state_;
}

}  // namespace catena
