// How Dormand-Prince chooses its steps: the error of the embedded solution, the controller, the first step, and the
// end of runs whose steps stability limits.
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/dormand_prince_memory.hpp>
#include <catena/solvers/dormand_prince_tableau.hpp>

#include <algorithm>
#include <cmath>

namespace catena {

namespace tableau = dormand_prince_tableau;

namespace {

// The step control of Hairer, Norsett, Wanner (DOPRI5): a PI controller.
constexpr double safety = 0.9, smallest_factor = 0.2, largest_factor = 10.0;
constexpr double integral = 0.04, proportional = 0.2 - 0.75 * integral;

}  // namespace

double DormandPrince::cut_after(double err) const {
  return err > 1.0 ? std::max(smallest_factor, safety * std::pow(err, -proportional)) : smallest_factor;
}

// The PI controller's step after one of size h that was accepted.
double DormandPrince::advice(const Memory& memory, double h, double asked, double err, bool rejected) const {
  double next = h * std::clamp(safety * std::pow(err, -proportional) * std::pow(memory.error(), integral),
                               smallest_factor, largest_factor);
  if (rejected) next = std::min(next, h);
  // A step that the driver shortened says little about the next one.
  if (!rejected && asked < memory.h()) next = std::max(next, memory.h());
  return options_.max_step > 0.0 ? std::min(next, options_.max_step) : next;
}

double DormandPrince::position_scale(std::size_t i, double x) const {
  const std::vector<double>& scale = system_->layout().scale;
  const double size = i < scale.size() && x_.size() == v_.size() ? scale[i] : 1.0;
  return options_.atol_position * size + options_.rtol_position * (sized_ ? std::abs(x) : size);
}

double DormandPrince::velocity_scale(std::size_t i, double v) const {
  return options_.atol_velocity * system_->layout().scale[i] + options_.rtol_velocity * std::abs(v);
}

// Root mean square over the tolerances of the error of the embedded solution and of what the projection has taken: of
// the order of the method where the motion is smooth, and all that tells of rows that jump.
double DormandPrince::error(const State& state, double h) {
  double sum = 0.0;
  worst_ = -1;
  worst_error_ = 0.0;
  worst_is_taken_ = false;
  const auto weigh = [&](double e, double scale, int component, bool is_taken) {
    const double relative = scale > 0.0 ? e / scale : (e == 0.0 ? 0.0 : INFINITY);
    sum += relative * relative;
    if (std::abs(relative) <= worst_error_) return;
    worst_error_ = std::abs(relative);
    worst_ = component;
    worst_is_taken_ = is_taken;
  };
  const auto add = [&](const std::vector<double>* k, std::size_t i, double scale, int component) {
    double e = 0.0;
    for (int s = 0; s < stages; ++s) e += tableau::e[s] * k[s][i];
    weigh(h * e, scale, component, false);
  };
  const auto add_taken = [&](double taken, double noise, double scale, int component) {
    if (std::abs(taken) > noise) weigh(taken, scale, component, true);
  };
  const auto n = static_cast<int>(v_.size());
  double speed = 0.0;
  for (const double v : v_) speed = std::max(speed, std::abs(v));
  const double noise_x = projection_noise(0.0), noise_v = projection_noise(speed);
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const double now = sized_ ? state.q[i] : 0.0, then = sized_ && !plain_ ? now + x_[i] : x_[i];
    const double scale = position_scale(i, std::max(std::abs(now), std::abs(then)));
    const int component = std::min(static_cast<int>(i), n - 1);
    add(kx_, i, scale, component);
    add_taken(taken_x_[i], noise_x, scale, component);
  }
  for (std::size_t i = 0; i < v_.size(); ++i) {
    const double scale = velocity_scale(i, std::max(std::abs(state.v[i]), std::abs(v_[i])));
    add(kv_, i, scale, static_cast<int>(i));
    add_taken(taken_v_[i], noise_v, scale, static_cast<int>(i));
  }
  return std::sqrt(sum / static_cast<double>(x_.size() + v_.size()));
}

Outcome DormandPrince::too_inaccurate(double t, double h) {
  Outcome o;
  o.status = Status::step_too_small;
  if (worst_is_taken_)
    o.culprit = {constraint_that_takes(t + h, h), "rows jump, undone by the projection in tolerances",
                 worst_error_};
  else
    o.culprit = {worst_ < 0 ? "" : kkt_.owner(worst_), "local error in tolerances", worst_error_};
  return o;
}

// Hairer and Wanner, Solving ODEs II, IV.2: h times an estimate of the largest eigenvalue beyond the stability
// domain in 15 steps that six good ones in a row do not part; looked for in every thousandth step.
bool DormandPrince::limited_by_stability(const Memory& memory, double h) {
  constexpr double boundary = 3.25;
  constexpr double interval = 1000.0, enough = 15.0, cleared = 6.0;
  memory.steps() += 1.0;
  if (memory.stiff() == 0.0 && std::fmod(memory.steps(), interval) != 0.0) return false;
  double change = 0.0, distance = 0.0;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    change += (kx_[6][i] - kx_[5][i]) * (kx_[6][i] - kx_[5][i]);
    distance += (x_[i] - x_stage_[i]) * (x_[i] - x_stage_[i]);
  }
  for (std::size_t i = 0; i < v_.size(); ++i) {
    change += (kv_[6][i] - kv_[5][i]) * (kv_[6][i] - kv_[5][i]);
    distance += (v_[i] - v_stage_[i]) * (v_[i] - v_stage_[i]);
  }
  stiffness_ = distance > 0.0 ? h * std::sqrt(change / distance) : 0.0;
  if (stiffness_ > boundary) {
    memory.calm() = 0.0;
    memory.stiff() += 1.0;
  } else {
    memory.calm() += 1.0;
    if (memory.calm() >= cleared) memory.stiff() = 0.0;
  }
  return memory.stiff() >= enough;
}

int DormandPrince::worst_velocity_change() const {
  int worst = 0;
  double largest = -1.0;
  for (std::size_t i = 0; i < v_.size(); ++i) {
    const double x = std::abs(kv_[6][i] - kv_[5][i]);
    if (!(x > largest)) continue;
    largest = x;
    worst = static_cast<int>(i);
  }
  return worst;
}

// Hairer, Norsett, Wanner, II.4: from the sizes of y, y' and a difference of y'. longest where that fails.
double DormandPrince::first_step(const State& state, double longest) {
  const std::size_t n = v_.size();
  double size = 0.0, slope = 0.0, change = 0.0;
  std::vector<double> x(n), v(n);
  const auto position = [&](std::size_t i) {  // of a velocity component; only its size matters
    return x_.size() == n && sized_ ? state.q[i] : system_->layout().scale[i];
  };
  const auto square = [](double y) { return y * y; };
  for (std::size_t i = 0; i < n; ++i) {
    const double sx = position_scale(i, position(i)), sv = velocity_scale(i, state.v[i]);
    if (!(sx > 0.0) || !(sv > 0.0)) return longest;
    size += square(position(i) / sx) + square(state.v[i] / sv);
    slope += square(state.v[i] / sx) + square(state.a[i] / sv);
  }
  double h = size < 1e-10 || slope < 1e-10 ? 1e-6 : 0.01 * std::sqrt(size / slope);
  h = std::min(h, longest);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = h * state.v[i];
    v[i] = state.v[i] + h * state.a[i];
  }
  system_->retract(state.q.data(), x.data(), q_.data());
  std::copy(v.begin(), v.end(), v_.begin());
  if (accelerate(state.t + h).status != Status::ok) return h;
  for (std::size_t i = 0; i < n; ++i) {
    const double sx = position_scale(i, position(i)), sv = velocity_scale(i, state.v[i]);
    change += square((v[i] - state.v[i]) / sx) + square((a_[i] - state.a[i]) / sv);
  }
  const double count = 2.0 * static_cast<double>(n);
  const double curve = std::sqrt(change / count) / h,
               largest_slope = std::max(curve, std::sqrt(slope / count));
  const double order_step =
      largest_slope <= 1e-15 ? std::max(1e-6, 1e-3 * h) : std::pow(0.01 / largest_slope, 0.2);
  return std::min({100.0 * h, order_step, longest});
}

}  // namespace catena
