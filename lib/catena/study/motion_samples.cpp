#include <catena/assembly/quaternion_system.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/study/detail/motion_samples.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace catena::detail {
namespace {

constexpr double unknown_error = std::numeric_limits<double>::quiet_NaN();

double length(const Vec3& a) { return std::sqrt(dot(a, a)); }

// Of the turn between two orientations [rad].
double angle_between(const Quat& a, const Quat& b) {
  const Quat turn = conjugate(a) * b;
  return 2.0 * std::atan2(std::sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z), std::abs(turn.w));
}

// nan where one of them is, or where there are none.
double largest_difference_of(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.empty() || a.size() != b.size()) return unknown_error;
  double largest = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double d = std::abs(a[k] - b[k]);
    if (!(d <= largest)) largest = d;
    if (std::isnan(largest)) break;
  }
  return largest;
}

// Rows of the constraints of the model: a system of quaternions has others behind them.
std::size_t rows_of_model(const System& system) {
  const SystemLayout& layout = system.layout();
  const auto* quaternions = dynamic_cast<const QuaternionSystem*>(&system);
  if (quaternions == nullptr) return index(layout.lambda_size());
  std::size_t rows = 0;
  for (int d = 0; d < quaternions->joint_count(); ++d) rows += index(layout.pattern->dual_size[index(d)]);
  return rows;
}

}  // namespace

const char* name_of(Part part, bool own) {
  switch (part) {
    case Part::position:
      return own ? "coordinates" : "position";
    case Part::rotation:
      return "rotation";
    case Part::velocity:
      return own ? "rates" : "velocity";
    case Part::angular_velocity:
      return "angular velocity";
    case Part::multipliers:
      break;
  }
  return "multipliers";
}

const char* unit_of(Part part, bool own) {
  if (own && part != Part::multipliers) return "";
  switch (part) {
    case Part::position:
      return "m";
    case Part::rotation:
      return "rad";
    case Part::velocity:
      return "m/s";
    case Part::angular_velocity:
      return "rad/s";
    case Part::multipliers:
      break;
  }
  return own ? "" : "N, N m";
}

Errors::Errors() { values_.fill(unknown_error); }

void Errors::raise_to(const Errors& more) {
  for (const Part part : all_parts) {
    const double value = more[part];
    double& mine = (*this)[part];
    if (std::isnan(mine) || value > mine) mine = value;
  }
}

int SampledMotion::find(double t) const {
  const auto next = std::lower_bound(instants.begin(), instants.end(), t);
  const double slack = 1e-9 * (instants.empty() ? 0.0 : std::abs(instants.back()));
  for (const auto& at : {next, next == instants.begin() ? next : next - 1})
    if (at != instants.end() && std::abs(*at - t) <= slack) return static_cast<int>(at - instants.begin());
  return -1;
}

Errors distance(const MotionSample& one, const MotionSample& other) {
  Errors errors;
  errors[Part::multipliers] = largest_difference_of(one.lambda, other.lambda);
  if (one.bodies.empty()) {
    errors[Part::position] = largest_difference_of(one.q, other.q);
    errors[Part::velocity] = largest_difference_of(one.v, other.v);
    return errors;
  }
  for (std::size_t k = 0; k < std::min(one.bodies.size(), other.bodies.size()); ++k) {
    const RigidBodyState &a = one.bodies[k], &b = other.bodies[k];
    Errors body;
    body[Part::position] = length(a.position - b.position);
    body[Part::rotation] = angle_between(a.orientation, b.orientation);
    body[Part::velocity] = length(a.velocity - b.velocity);
    body[Part::angular_velocity] = length(a.angular_velocity - b.angular_velocity);
    errors.raise_to(body);
  }
  return errors;
}

Errors largest_distance(const SampledMotion& one, const SampledMotion& other) {
  Errors largest;
  for (std::size_t k = 0; k < one.samples.size(); ++k)
    if (one.samples[k].reached && other.samples[k].reached)
      largest.raise_to(distance(one.samples[k], other.samples[k]));
  return largest;
}

Errors extent(const SampledMotion& motion, const MotionSample& start) {
  MotionSample from = start;
  for (RigidBodyState& body : from.bodies) body.velocity = body.angular_velocity = Vec3::Zero();
  std::fill(from.v.begin(), from.v.end(), 0.0);
  if (!motion.samples.empty()) from.lambda.assign(motion.samples.back().lambda.size(), 0.0);
  Errors largest;
  for (const MotionSample& sample : motion.samples)
    if (sample.reached) largest.raise_to(distance(from, sample));
  return largest;
}

MotionSample sample_of(const System& system, const State& state) {
  MotionSample sample;
  sample.reached = true;
  if (bodies_of(system) != nullptr) sample.bodies = system.bodies(state);
  if (sample.bodies.empty()) {
    sample.q = state.q;
    sample.v = state.v;
  }
  sample.lambda = state.lambda;
  sample.lambda.resize(std::min(sample.lambda.size(), rows_of_model(system)));
  return sample;
}

void MotionSampler::see(const State& state) {
  if (traits_.lambda_at == 1.0 || (!seen_.empty() && seen_.back().t == state.t)) return;
  if (seen_.size() == 3) seen_.erase(seen_.begin());
  seen_.push_back({state.t, state.lambda});
}

std::vector<double> MotionSampler::at_end_of_step() const {
  const Seen &before = seen_[seen_.size() - 3], &middle = seen_[seen_.size() - 2], &last = seen_.back();
  const double first = before.t + traits_.lambda_at * (middle.t - before.t);
  const double second = middle.t + traits_.lambda_at * (last.t - middle.t);
  const double share = (last.t - second) / (second - first);
  std::vector<double> lambda = last.lambda;
  for (std::size_t k = 0; k < lambda.size(); ++k) lambda[k] += share * (lambda[k] - middle.lambda[k]);
  return lambda;
}

void MotionSampler::accept(const State& state, const Outcome&) {
  see(state);
  const int k = motion_.find(state.t);
  if (k < 0) return;
  MotionSample& sample = motion_.samples[index(k)];
  sample = sample_of(*system_, state);
  if (traits_.order_lambda == 0) sample.lambda.clear();
  if (traits_.lambda_at == 1.0) return;
  if (seen_.size() < 3) {
    sample.lambda.clear();
    return;
  }
  std::vector<double> lambda = at_end_of_step();
  lambda.resize(sample.lambda.size());
  sample.lambda = std::move(lambda);
}

}  // namespace catena::detail
