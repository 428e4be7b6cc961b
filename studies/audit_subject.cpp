#include <catena/assembly/quaternion_system.hpp>
#include <catena/experiment/detail/setup.hpp>
#include <catena/math/detail/largest.hpp>
#include <catena/measure/parts/momentum.hpp>
#include <catena/studies/detail/audit_subject.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace catena::detail::audit_detail {
namespace {

constexpr const char* linear_momentum = "linear momentum along world";

int axis_at_the_end_of(const std::string& name) {
  const char last = name.empty() ? ' ' : name.back();
  return last == 'x' ? 0 : last == 'y' ? 1 : last == 'z' ? 2 : -1;
}

bool begins(const std::string& text, const std::string& beginning) { return text.rfind(beginning, 0) == 0; }

void append(Vector& out, const Vec3& x) { out.insert(out.end(), x.e, x.e + 3); }

}  // namespace

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
    : problem_(problem), system_(make_system(problem, coordinates)) {
  if (const auto* bodies = dynamic_cast<const BodySystem*>(system_.get())) model_ = &bodies->model();
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
  largest_row_ = std::sqrt(largest_or_nan(squares));
}

double Subject::scale(const Invariant& invariant) const {
  double mass = 0.0;
  if (model_ != nullptr && begins(invariant.name, linear_momentum))
    for (int k = 0; k < model_->body_count(); ++k) mass += model_->body(BodyId{k}).mass;
  return std::max(1.0, mass);
}

double Subject::measure(const Invariant& invariant, const State& s) const {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  if (invariant.name == "energy") return system_->energy(point_of(s)).total();
  const int axis = axis_at_the_end_of(invariant.name);
  if (model_ == nullptr || axis < 0) return unknown;
  const auto bodies = system_->bodies(s);
  if (begins(invariant.name, linear_momentum)) return momentum(*model_, bodies).linear[axis];
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

}  // namespace catena::detail::audit_detail
