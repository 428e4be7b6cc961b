#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/output/momentum.hpp>
#include <catena/studies/audit_run.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace catena::audit_detail {
namespace {

int axis_at_the_end_of(const std::string& name) {
  const char last = name.empty() ? ' ' : name.back();
  return last == 'x' ? 0 : last == 'y' ? 1 : last == 'z' ? 2 : -1;
}

bool begins(const std::string& text, const std::string& beginning) { return text.rfind(beginning, 0) == 0; }

void append(Vector& out, const Vec3& x) { out.insert(out.end(), x.e, x.e + 3); }

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

double largest(const Vector& x) {
  double m = 0.0;
  for (const double value : x) {
    if (std::isnan(value)) return value;
    m = std::max(m, std::abs(value));
  }
  return m;
}

double distance(const Vector& a, const Vector& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::quiet_NaN();
  double m = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double d = std::abs(a[k] - b[k]);
    if (std::isnan(d)) return d;
    m = std::max(m, d);
  }
  return m;
}

Subject::Subject(const Problem& problem, Coordinates coordinates)
    : problem_(problem), system_(problem.own_system()) {
  if (!system_) {
    Model model = problem.model();
    model.check_initial_positions();
    std::unique_ptr<BodySystem> bodies;
    if (coordinates == Coordinates::lagrangian)
      bodies = std::make_unique<QuaternionSystem>(std::move(model));
    else
      bodies = std::make_unique<MultibodySystem>(std::move(model));
    model_ = &bodies->model();
    system_ = std::move(bodies);
  }
  common_multipliers_ = system_->layout().lambda_size();
  if (const auto* seven = dynamic_cast<const QuaternionSystem*>(system_.get())) {
    const BlockPattern& pattern = *seven->layout().pattern;
    for (std::size_t k = static_cast<std::size_t>(seven->joint_count()); k < pattern.dual_size.size(); ++k)
      common_multipliers_ -= pattern.dual_size[k];
  }
  const State initial = system_->initial_state();
  measure_rows(initial);
  for (const Invariant& invariant : problem.invariants())
    if (std::isnan(measure(invariant, initial)))
      unknown_.push_back(invariant.name);
    else
      invariants_.push_back(invariant);
}

// Rows at velocity level are affine in v: column by column.
void Subject::measure_rows(const State& state) {
  const auto rows = static_cast<std::size_t>(system_->layout().lambda_size());
  if (rows == 0) return;
  Vector v(state.v.size(), 0.0), at_rest(rows), moving(rows), squares(rows, 0.0);
  Point at;
  at.t = state.t;
  at.q = state.q.data();
  at.v = v.data();
  at.discrete = state.discrete.empty() ? nullptr : state.discrete.data();
  Evaluation wanted;
  wanted.velocity = at_rest.data();
  system_->evaluate(at, wanted);
  wanted.velocity = moving.data();
  for (double& one : v) {
    one = 1.0;
    system_->evaluate(at, wanted);
    one = 0.0;
    for (std::size_t r = 0; r < rows; ++r) squares[r] += (moving[r] - at_rest[r]) * (moving[r] - at_rest[r]);
  }
  largest_row_ = std::sqrt(largest(squares));
}

double Subject::measure(const Invariant& invariant, const State& s) const {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  if (invariant.name == "energy") return system_->energy(s.t, s.q.data(), s.v.data()).total();
  const int axis = axis_at_the_end_of(invariant.name);
  if (model_ == nullptr || axis < 0) return unknown;
  const auto bodies = system_->bodies(s);
  if (begins(invariant.name, "angular momentum about world")) return momentum(*model_, bodies).angular[axis];
  if (begins(invariant.name, "angular velocity about body") && bodies.size() == 1)
    return bodies[0].angular_velocity[axis];
  return unknown;
}

Sample Subject::sample(const State& state) const {
  Sample s;
  s.lambda = state.lambda;
  for (const Invariant& invariant : invariants_)
    s.invariants.push_back(measure(invariant, state) - invariant.value);
  const auto bodies = system_->bodies(state);
  for (const RigidBodyState& b : bodies) {
    append(s.q, b.position);
    const Mat3 R = rotation_matrix(b.orientation);
    s.q.insert(s.q.end(), R.e, R.e + 9);
    append(s.v, b.velocity);
    append(s.v, b.angular_velocity);
  }
  if (bodies.empty()) {
    s.q = state.q;
    s.v = state.v;
  }
  return s;
}

ReferenceError Subject::reference_error(const State& state) const {
  const auto bodies = system_->bodies(state);
  const auto names = system_->body_names();
  ReferenceError error;
  for (const Reference& reference : problem_.references()) {
    if (std::abs(reference.t - state.t) > 1e-9) continue;
    Vector is;
    if (reference.subject == "coordinates") {
      is = reference.quantity == "q" ? state.q : state.v;
    } else {
      RigidBodyState body{};
      Vec3 point = Vec3::Zero();
      bool found = false;
      for (const ObservedPoint& p : problem_.observed_points())
        if (p.name == reference.subject && static_cast<std::size_t>(p.body) < bodies.size()) {
          body = bodies[static_cast<std::size_t>(p.body)];
          point = p.point;
          found = true;
        }
      for (std::size_t k = 0; k < names.size() && !found; ++k)
        if (names[k] == reference.subject) {
          body = bodies[k];
          found = true;
        }
      if (!found) continue;
      if (reference.quantity == "position [m]") append(is, point_position(body, point));
      if (reference.quantity == "velocity [m/s]") append(is, point_velocity(body, point));
      if (reference.quantity == "quaternion") {
        const Quat& e = body.orientation;
        is = {e.w, e.x, e.y, e.z};
        double along = 0.0;
        for (std::size_t k = 0; k < 4; ++k) along += is[k] * reference.value[k];
        if (along < 0.0)
          for (double& x : is) x = -x;
      }
    }
    if (is.size() != reference.value.size()) continue;
    const double digits = std::pow(10.0, -reference.digits);
    double& worst = reference.quantity == "v" || reference.quantity == "velocity [m/s]" ? error.v : error.q;
    for (std::size_t k = 0; k < is.size(); ++k)
      if (!std::isnan(reference.value[k]))
        worst = std::max(worst, std::max(0.0, std::abs(is[k] - reference.value[k]) - digits));
  }
  return error;
}

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
