// How explicit steppers choose their steps: the options, the error of the embedded solution, and the first step.
#include <catena/math/detail/option_range.hpp>
#include <catena/stepper/detail/error_options.hpp>
#include <catena/stepper/detail/max_step.hpp>
#include <catena/stepper/explicit/explicit_stepper.hpp>
#include <catena/stepper/guards/detail/pole.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace catena {
using namespace detail;

void visit_explicit(OptionVisitor& visitor, ExplicitOptions& o, const GuardSet& own) {
  visit_error_control(visitor, o);
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
  return adaptive() ? no_step_small_enough(o) : endless_max_step(o.max_step);
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
  const double part = part_ = part_of_error(state, h);
  const std::vector<double>&error_x = dense_x_[0], &error_v = dense_v_[0];
  double speed = 0.0;
  for (const double v : now_.v) speed = std::max(speed, std::abs(v));
  const ExplicitStages seen = *stages();
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
  // Of steps alone that would be refused; an evaluation and a solve where the rows are independent.
  if (!(error.root_mean_square(error_components()) <= 1.0))
    if (const std::optional<LocalError> beside = error_beside_rows(state, h, part)) return *beside;
  return error;
}

void ExplicitStepper::add_error(State& end) const {
  std::vector<double>& x = between_;  // free until the step is accepted
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = part_ * dense_x_[0][i];
  if (plain_)
    for (std::size_t i = 0; i < x.size(); ++i) end.q[i] += x[i];
  else
    system_->retract(end.q.data(), x.data(), end.q.data());
  for (std::size_t i = 0; i < end.v.size(); ++i) end.v[i] += part_ * dense_v_[0][i];
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
  if (!error.of_projection) return ProjectedStepper::too_inaccurate(error, h);
  return failure(
      Status::step_too_small,
      {stages()->worst_constraint(point_of(now_), h, equations_.kkt(), equations_.work(), dense_v_[1].data()),
       "rows jump, undone by the projection in tolerances", error.largest});
}

}  // namespace catena
