#include <catena/studies/audit_run.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace catena::audit_detail {
namespace {

class Residuals {
 public:
  explicit Residuals(const System& system) : system_(system) {
    for (Vector* rows : {&position_, &velocity_, &acceleration_})
      rows->resize(static_cast<std::size_t>(system.layout().lambda_size()));
  }
  void add(const State& s, double h, WorstResiduals& worst) {
    if (position_.empty()) return;
    Point at = point_of(s);
    at.a = s.a.data();
    at.lambda = s.lambda.data();
    Evaluation wanted;
    wanted.position = position_.data();
    wanted.velocity = velocity_.data();
    wanted.acceleration = acceleration_.data();
    system_.evaluate(at, wanted);
    const auto keep = [](double residual, double scale, double& greatest, double& relative) {
      greatest = std::max(greatest, residual);
      relative = std::max(relative, residual / scale);
    };
    const double q = largest(s.q), v = largest(s.v), a = largest(s.a);
    keep(largest(position_), 1.0 + q, worst.position, worst.relative_position);
    keep(largest(velocity_), 1.0 + v, worst.velocity, worst.relative_velocity);
    keep(largest(acceleration_), 1.0 + a + v * v + (1.0 + v) / h, worst.acceleration,
         worst.relative_acceleration);
    const BlockPattern& pattern = *system_.layout().pattern;
    std::size_t row = 0;
    for (std::size_t k = 0; k < pattern.dual_size.size(); ++k)
      for (int i = 0; i < pattern.dual_size[k]; ++i, ++row)
        if (system_.layout().level[k] == Level::velocity)
          worst.velocity_rows = std::max(worst.velocity_rows, std::abs(velocity_[row]));
  }

 private:
  const System& system_;
  Vector position_, velocity_, acceleration_;
};

std::string told(const Outcome& outcome, double t) {
  return std::string(to_string(outcome.status)) + " at t = " + std::to_string(t) +
         " s: " + outcome.culprit.name + " " + outcome.culprit.quantity;
}

}  // namespace

Trace run_trace(const Subject& subject, Stepper& stepper, double end, int steps, double uneven,
                const State* from) {
  assert(steps % (2 * samples_of_high_order) == 0);
  const System& system = subject.system();
  Trace trace;
  State state = from != nullptr ? *from : system.initial_state();
  const double begin = state.t, h = (end - begin) / steps;
  const bool chooses = stepper.traits().chooses_step;
  const double lag = 1.0 - stepper.traits().lambda_at;  // of the multipliers, in steps
  Outcome outcome = stepper.attach(system);
  if (outcome.status == Status::ok) outcome = stepper.start(state, h * (1.0 + uneven));
  if (outcome.status != Status::ok) {
    trace.failure = told(outcome, state.t);
    trace.culprit = outcome.culprit;
    return trace;
  }
  Residuals residuals(system);
  trace.samples.push_back(subject.sample(state));
  trace.smallest_step = h;
  const auto look = [&] {
    ++trace.steps;
    residuals.add(state, outcome.h_taken, trace.residuals);
    trace.largest_q = std::max(trace.largest_q, largest(state.q));
    trace.largest_v = std::max(trace.largest_v, largest(state.v));
    trace.largest_a = std::max(trace.largest_a, largest(state.a));
    trace.largest_energy =
        std::max(trace.largest_energy, system.energy(state.t, state.q.data(), state.v.data()).kinetic);
  };
  Vector lambda_before;
  const int samples = chooses                              ? 2
                      : steps % (2 * samples_per_run) == 0 ? samples_per_run
                                                           : samples_of_high_order;
  for (int k = 1; k <= samples; ++k) {
    const int count = steps / samples;
    const double instant = k == samples ? end : begin + h * k * count;
    // Steppers that choose their step take what they like of the way to the next instant, so there are few of them.
    for (long i = 0; chooses ? instant - state.t > 1e-12 * (end - begin) : i < count; ++i) {
      const bool extrapolates = lag != 0.0 && i + 1 == count;
      if (extrapolates) lambda_before = state.lambda;
      const double size = h * (i % 2 == 0 ? 1.0 + uneven : 1.0 - uneven);
      outcome = stepper.step(state, chooses ? instant - state.t : size);
      if (outcome.status != Status::ok || i > 1000000) {
        trace.failure = told(outcome, state.t);
        return trace;
      }
      // The last step to an instant is a sliver that tells nothing of the method.
      if (chooses && instant - state.t > 0.0)
        trace.smallest_step = std::min(trace.smallest_step, outcome.h_taken);
      look();
    }
    trace.samples.push_back(subject.sample(state));
    // Multipliers of an instant before the end of the step are taken to there by those of the step before.
    Vector& lambda = trace.samples.back().lambda;
    const double behind = lag * (1.0 - uneven), apart = 1.0 - uneven + lag * 2.0 * uneven;  // [h]
    if (lag != 0.0)
      for (std::size_t r = 0; r < lambda.size(); ++r)
        lambda[r] += behind / apart * (lambda[r] - lambda_before[r]);
  }
  trace.end = std::move(state);
  return trace;
}

Trace run_coarse(const Subject& subject, Stepper& stepper, double end, int steps) {
  const System& system = subject.system();
  Trace trace;
  State state = system.initial_state();
  const double h = (end - state.t) / steps;
  trace.smallest_step = h;
  Residuals residuals(system);
  Outcome outcome = stepper.attach(system);
  if (outcome.status == Status::ok) outcome = stepper.start(state, h);
  for (int taken = 0; outcome.status == Status::ok && end - state.t > 1e-12 * end; ++taken) {
    constexpr int most = 100000;
    outcome = stepper.step(state, stepper.traits().chooses_step ? end - state.t : std::min(h, end - state.t));
    if (outcome.status == Status::ok && taken == most) outcome.status = Status::step_too_small;
    if (outcome.status != Status::ok) break;
    if (end - state.t > 0.0) trace.smallest_step = std::min(trace.smallest_step, outcome.h_taken);
    residuals.add(state, outcome.h_taken, trace.residuals);
    trace.largest_q = std::max(trace.largest_q, largest(state.q));
    trace.largest_v = std::max(trace.largest_v, largest(state.v));
    trace.largest_a = std::max(trace.largest_a, largest(state.a));
  }
  if (outcome.status != Status::ok) {
    trace.failure = told(outcome, state.t);
    trace.culprit = outcome.culprit;
  }
  trace.samples.push_back(subject.sample(state));
  trace.end = std::move(state);
  return trace;
}

}  // namespace catena::audit_detail
