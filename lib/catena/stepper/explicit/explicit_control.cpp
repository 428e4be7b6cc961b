// How explicit steppers choose their steps: the options, the error of the embedded solution, and the first step.
#include <catena/math/detail/option_range.hpp>
#include <catena/stepper/detail/max_step.hpp>
#include <catena/stepper/explicit/explicit_stepper.hpp>
#include <catena/stepper/guards/detail/pole.hpp>

#include <algorithm>
#include <cmath>

namespace catena {
using namespace detail;

void visit_explicit(OptionVisitor& visitor, ExplicitOptions& o, const GuardSet& own) {
  visit_choice(visitor, {"control", "", "adaptive: steps follow the error; fixed: the step of the run"},
               o.control, {"adaptive", "fixed"});
  visitor.real(tolerance_option({"rtol_position", "1",
                                 "error of a coordinate relative to it; of a body: to its size", 0.0, 1.0}),
               o.rtol_position);
  visitor.real(
      tolerance_option({"atol_position", "1", "error of a coordinate in characteristic sizes", 0.0, 1.0}),
      o.atol_position);
  visitor.real(tolerance_option({"rtol_velocity", "1", "error of a velocity relative to it", 0.0, 1.0}),
               o.rtol_velocity);
  visitor.real(tolerance_option({"atol_velocity", "1/s",
                                 "error of a velocity in characteristic sizes per second", 0.0, 1e6}),
               o.atol_velocity);
  visitor.real({"initial_step", "s", "first step tried; 0: found from two derivatives", 0.0, 1e6},
               o.initial_step);
  visitor.real({"max_step", "s", "no step is larger; 0: no limit", 0.0, 1e6}, o.max_step);
  visitor.flag({"stiffness_check", "", "end a run whose steps stability limits, not accuracy"},
               o.stiffness_check);
  GuardSet guards{&dependent_rows_guard, &pole_guard, &jumping_rows_guard, &stability_guard};
  guards.insert(guards.end(), own.begin(), own.end());
  visit_guards(visitor, o.guards, guards);
}

std::string ExplicitStepper::refuses(const System&) const {
  const ExplicitOptions& o = options_;
  if (std::string wrong = defect(table_); !wrong.empty()) return wrong;
  if (std::string wrong = out_of_range(o); !wrong.empty()) return wrong;
  if (std::string wrong = endless_max_step(o.max_step); !wrong.empty()) return wrong;
  if (adaptive() && (o.rtol_position + o.atol_position == 0.0 || o.rtol_velocity + o.atol_velocity == 0.0))
    return "no step is small enough for rtol = atol = 0: one of the two must be positive, for positions and "
           "for velocities";
  return {};
}

// Of component i of an increment: the larger of both ends counts.
double ExplicitStepper::tolerance_of_x(const State& state, std::size_t i) const {
  const double from = errors_.sized() ? state.q[i] : 0.0,
               to = errors_.sized() && !plain_ ? from + x_[i] : x_[i];
  return errors_.position_tolerance(i, std::max(std::abs(from), std::abs(to)));
}

double ExplicitStepper::tolerance_of_v(const State& state, std::size_t i) const {
  return errors_.velocity_tolerance(i, std::max(std::abs(state.v[i]), std::abs(now_.v[i])));
}

// What a second embedded solution leaves of the first error: |e| / sqrt(|e|^2 + 0.01 |e2|^2), in tolerances. The errors
// remain in dense_x_[0], dense_v_[0].
double ExplicitStepper::part_of_error(const State& state, double h) {
  std::vector<double>&x = dense_x_[0], &v = dense_v_[0];  // free until the step is accepted
  const auto square_of = [&](const std::vector<double>& weights) {
    weighted_sum(weights, kx_, h, nullptr, x);
    weighted_sum(weights, kv_, h, nullptr, v);
    LocalError error;
    for (std::size_t i = 0; i < x.size(); ++i) error.add(x[i], tolerance_of_x(state, i), 0);
    for (std::size_t i = 0; i < v.size(); ++i) error.add(v[i], tolerance_of_v(state, i), 0);
    return error.square;
  };
  if (table_.second_error.empty()) {
    weighted_sum(table_.error, kx_, h, nullptr, x);
    weighted_sum(table_.error, kv_, h, nullptr, v);
    return 1.0;
  }
  const double second = square_of(table_.second_error), first = square_of(table_.error);
  return first > 0.0 && std::isfinite(first) ? std::sqrt(first / (first + 0.01 * second)) : 1.0;
}

// Of the embedded solution, and of what the projection has taken: of the order of the method where the motion is smooth,
// and the only sign of rows that jump.
LocalError ExplicitStepper::local_error(const State& state, double h) {
  LocalError error;
  const double part = part_of_error(state, h);
  const std::vector<double>&error_x = dense_x_[0], &error_v = dense_v_[0];
  double speed = 0.0;
  for (const double v : now_.v) speed = std::max(speed, std::abs(v));
  const ExplicitStages seen = stages();
  const double noise_x = seen.noise(0.0), noise_v = seen.noise(speed);
  const int last = static_cast<int>(now_.v.size()) - 1;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const double tolerance = tolerance_of_x(state, i);
    const int component = std::min(static_cast<int>(i), last);
    error.add(part * error_x[i], tolerance, component);
    if (projection_counts_ && std::abs(x_taken_[i]) > noise_x)
      error.add(x_taken_[i], tolerance, component, true);
  }
  for (std::size_t i = 0; i < now_.v.size(); ++i) {
    const double tolerance = tolerance_of_v(state, i);
    error.add(part * error_v[i], tolerance, static_cast<int>(i));
    if (projection_counts_ && std::abs(v_taken_[i]) > noise_v)
      error.add(v_taken_[i], tolerance, static_cast<int>(i), true);
  }
  return error;
}

// The largest error of a coordinate by the embedded solution.
StepError ExplicitStepper::step_error(const State& state, double h) {
  StepError error;
  if (table_.embedded_order == 0) return error;
  const double part = part_of_error(state, h);
  const std::vector<double>&by = dense_x_[0], &scale = system_->layout().scale;
  for (std::size_t i = 0; i < by.size(); ++i) {
    const double relative = part * std::abs(by[i]) / (by.size() == scale.size() ? scale[i] : 1.0);
    if (relative <= error.largest) continue;
    error = {relative, static_cast<int>(std::min(i, scale.size() - 1))};
  }
  return error;
}

Outcome ExplicitStepper::too_inaccurate(const LocalError& error, double h) {
  if (error.of_projection)
    return failure(Status::step_too_small,
                   {stages().worst_constraint(point_of(now_), h, equations_.kkt(), equations_.work(),
                                              dense_v_[1].data()),
                    "rows jump, undone by the projection in tolerances", error.largest});
  return failure(Status::step_too_small, {error.worst < 0 ? "" : equations_.kkt().owner(error.worst),
                                          "local error in tolerances", error.largest});
}

// Hairer, Norsett, Wanner, II.4: from the sizes of y, y' and a difference of y'. longest where that fails.
double ExplicitStepper::first_step(const State& state, double longest) {
  const std::size_t n = state.v.size();
  const auto position = [&](std::size_t i) {  // of a velocity component; only its size matters
    return x_.size() == n && errors_.sized() ? state.q[i] : system_->layout().scale[i];
  };
  // Root of the sum of (x_i / tolerance of positions)^2 + (v_i / tolerance of velocities)^2.
  const auto size_of = [&](const auto& x, const auto& v) {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const double in_x = x(i) / errors_.position_tolerance(i, position(i));
      const double in_v = v(i) / errors_.velocity_tolerance(i, state.v[i]);
      sum += in_x * in_x + in_v * in_v;
    }
    return sum;
  };
  for (std::size_t i = 0; i < n; ++i)
    if (!(errors_.position_tolerance(i, position(i)) > 0.0) ||
        !(errors_.velocity_tolerance(i, state.v[i]) > 0.0))
      return longest;
  const auto of = [](const std::vector<double>& values) {
    return [&values](std::size_t i) { return values[i]; };
  };
  const double size = size_of(position, of(state.v)), slope = size_of(of(state.v), of(state.a));
  const double h = std::min(size < 1e-10 || slope < 1e-10 ? 1e-6 : 0.01 * std::sqrt(size / slope), longest);
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = h * state.v[i];
    now_.v[i] = state.v[i] + h * state.a[i];
  }
  system_->retract(state.q.data(), x.data(), now_.q.data());
  now_.t = state.t + h;
  if (equations_.accelerate(now_).status != Status::ok) return h;
  const double change = size_of([&](std::size_t i) { return now_.v[i] - state.v[i]; },
                                [&](std::size_t i) { return now_.a[i] - state.a[i]; });
  const double count = 2.0 * static_cast<double>(n);
  const double largest_slope = std::max(std::sqrt(change / count) / h, std::sqrt(slope / count));
  const double order_step =
      largest_slope <= 1e-15 ? std::max(1e-6, 1e-3 * h) : std::pow(0.01 / largest_slope, 1.0 / table_.order);
  return std::min({100.0 * h, order_step, longest});
}

}  // namespace catena
