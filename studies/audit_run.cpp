#include <catena/driver/detail/each_state.hpp>
#include <catena/driver/run.hpp>
#include <catena/math/detail/largest.hpp>
#include <catena/studies/detail/audit_run.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace catena::detail::audit_detail {
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
    const double q = largest_or_nan(s.q), v = largest_or_nan(s.v), a = largest_or_nan(s.a);
    keep(largest_or_nan(position_), 1.0 + q, worst.position, worst.relative_position);
    keep(largest_or_nan(velocity_), 1.0 + v, worst.velocity, worst.relative_velocity);
    keep(largest_or_nan(acceleration_), 1.0 + a + v * v + (1.0 + v) / h, worst.acceleration,
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

// Steps end at its instants, and it changes nothing.
class Metronome : public Controller {
 public:
  Metronome(double first, double period) : first_(first), period_(period) {}
  double period() const override { return period_; }
  double first_sample() const override { return first_; }
  void sample(const State&, double*, double*) override {}

 private:
  double first_, period_;
};

// What a trace takes of each step.
class Recorder {
 public:
  Recorder(const Subject& subject, Trace& trace) : residuals_(subject.system()), trace_(trace) {}
  void operator()(const State& s, double h) {
    ++trace_.steps;
    residuals_.add(s, h, trace_.residuals);
    trace_.largest_q = std::max(trace_.largest_q, largest_or_nan(s.q));
    trace_.largest_v = std::max(trace_.largest_v, largest_or_nan(s.v));
    trace_.largest_a = std::max(trace_.largest_a, largest_or_nan(s.a));
    if (trace_.steps > 2 && trace_.samples.size() > 1)
      for (std::size_t r = 0; r < s.lambda.size(); ++r)
        trace_.alternating_lambda =
            std::max(trace_.alternating_lambda,
                     0.25 * std::abs((s.lambda[r] - last_[r]) - (last_[r] - one_before_[r])));
    one_before_.swap(last_);
    last_ = s.lambda;
  }

 private:
  Residuals residuals_;
  Vector last_, one_before_;  // multipliers
  Trace& trace_;
};

void take_failure(const RunResult& result, Trace& trace) {
  if (result.status == Status::ok) return;
  trace.failure = std::string(to_string(result.reason())) + " at t = " + std::to_string(result.t_end) +
                  " s: " + result.culprit.name + " " + result.culprit.quantity;
  trace.culprit = result.culprit;
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
  // Steppers that choose their step take what they like of the way to the next instant, so there are few of them.
  const int samples = chooses                              ? 2
                      : steps % (2 * samples_per_run) == 0 ? samples_per_run
                                                           : samples_of_high_order;
  const int count = steps / samples;                    // between two of them
  const double lag = 1.0 - stepper.traits().lambda_at;  // of the multipliers, in steps
  // Multipliers of an instant before the end of the step are taken to there by those of the step before.
  const double behind = lag * (1.0 - uneven), apart = 1.0 - uneven + lag * 2.0 * uneven;  // [h]
  trace.smallest_step = h;
  Recorder record(subject, trace);
  Vector lambda_before;
  double t = begin;
  EachState look([&](const State& now) {
    const double size = now.t - t, next = begin + h * count * static_cast<double>(trace.samples.size());
    t = now.t;
    if (trace.samples.empty()) {
      trace.samples.push_back(subject.sample(now));
      return;
    }
    record(now, size);
    trace.largest_energy = std::max(trace.largest_energy, system.energy(point_of(now)).kinetic);
    const bool at_sample = std::abs(now.t - next) <= 1e-9 * h;
    if (at_sample) {
      trace.samples.push_back(subject.sample(now));
      Vector& lambda = trace.samples.back().lambda;
      if (lag != 0.0)
        for (std::size_t r = 0; r < lambda.size(); ++r)
          lambda[r] += behind / apart * (lambda[r] - lambda_before[r]);
    } else if (chooses) {  // the last step to an instant is very short and shows nothing of the method
      trace.smallest_step = std::min(trace.smallest_step, size);
    }
    if (lag != 0.0) lambda_before = now.lambda;
  });
  Listeners listeners{.observers = {&look}};
  Metronome to_samples(begin + h * count, h * count), to_uneven(begin + h * (1.0 + uneven), 2.0 * h);
  if (chooses) listeners.controllers = {&to_samples};
  if (uneven > 0.0) listeners.controllers = {&to_uneven};
  const double step = uneven > 0.0 ? 2.0 * h : h;
  take_failure(
      run(system, stepper, state, {.step = step, .end = end, .max_cuts = 0, .verdict = false}, listeners),
      trace);
  trace.end = std::move(state);
  return trace;
}

Trace run_coarse(const Subject& subject, Stepper& stepper, double end, int steps) {
  const System& system = subject.system();
  Trace trace;
  State state = system.initial_state();
  const double h = (end - state.t) / steps;
  trace.smallest_step = h;
  Recorder record(subject, trace);
  double t = state.t;
  EachState look([&](const State& now) {
    if (!(now.t > t)) return;
    if (now.t < end) trace.smallest_step = std::min(trace.smallest_step, now.t - t);
    record(now, now.t - t);
    t = now.t;
  });
  take_failure(run(system, stepper, state, {.step = h, .end = end, .max_cuts = 0, .verdict = false},
                   Listeners{.observers = {&look}}),
               trace);
  trace.samples.push_back(subject.sample(state));
  trace.end = std::move(state);
  return trace;
}

}  // namespace catena::detail::audit_detail
