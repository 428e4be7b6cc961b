#include <catena/math/parts/dual.hpp>
#include <catena/model/parts/error.hpp>
#include <catena/model/parts/orientation.hpp>
#include <catena/problems/detail/joint_tree_system.hpp>
#include <catena/problems/euler_angles.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace catena::detail {
namespace {

using D1 = Dual<double, 1>;

Vec3 read3(const double* x) { return {{x[0], x[1], x[2]}}; }
void write3(const Vec3& x, double* out) { std::copy(x.e, x.e + 3, out); }

Quat about_z(double angle) { return {std::cos(0.5 * angle), 0.0, 0.0, std::sin(0.5 * angle)}; }
Quat about_x(double angle) { return {std::cos(0.5 * angle), std::sin(0.5 * angle), 0.0, 0.0}; }
Quat quaternion_of(const Vec3& theta) { return about_z(theta[1]) * about_x(theta[2]) * about_z(theta[0]); }

bool has_angles(const TreeLink& link) { return link.type != JointType::hinge; }
// Its equations are exchanged near the pole.
bool meets_pole(const TreeLink& link) { return has_angles(link) && link.form != AngleForm::plain; }

// SE(3) is SO(3) over dual numbers: omega + eps V.
Vec<D1, 3> screw(const double* x) {
  Vec<D1, 3> s;
  for (int k = 0; k < 3; ++k) {
    s[k].value = x[k];
    s[k].d[0] = x[3 + k];
  }
  return s;
}
void write_screw(const Vec<D1, 3>& s, double* out) {
  for (int k = 0; k < 3; ++k) {
    out[k] = s[k].value;
    out[3 + k] = s[k].d[0];
  }
}

}  // namespace

JointTreeSystem::JointTreeSystem(JointTree tree, PoleRule rule) : tree_(std::move(tree)), rule_(rule) {
  if (tree_.links.empty() || tree_.links.size() > static_cast<std::size_t>(JointTree::max_links))
    throw ModelError("a joint tree has 1 to " + std::to_string(JointTree::max_links) + " bodies");
  auto pattern = std::make_shared<BlockPattern>();
  for (int i = 0; i < link_count(); ++i) {
    const TreeLink& part = link(i);
    if (!(part.mass > 0.0) || !std::isfinite(part.mass))
      throw ModelError("body \"" + part.name + "\": mass must be positive, is " + std::to_string(part.mass));
    if (part.parent >= i || (part.type == JointType::floating && part.parent >= 0))
      throw ModelError("body \"" + part.name +
                       "\": its parent must come before it; a floating base has none");
    offset_.push_back(i == 0 ? 0 : offset_.back() + pattern->primal_size.back());
    pattern->primal_size.push_back(velocities(part.type));
    for (int k = 0; k < velocities(part.type); ++k) layout_.rotation.push_back(k < 3 ? 1 : 0);
    for (int j = 0; j < i; ++j) pattern->couplings.push_back({j, i});
    mount_.push_back(orientation_from_matrix(part.mount));
    has_rate_ = has_rate_ || meets_pole(part);
    discrete_at_.push_back(layout_.discrete_size);
    if (remembers(i)) ++layout_.discrete_size;
  }
  pattern->finish();
  layout_.pattern = std::move(pattern);
  layout_.q_size = tree_.velocity_count();
  layout_.scale.assign(static_cast<std::size_t>(layout_.q_size), 1.0);
}

State JointTreeSystem::initial_state() const {
  State s;
  const auto n = static_cast<std::size_t>(layout_.q_size);
  s.q.assign(n, 0.0);
  s.v.assign(n, 0.0);
  s.a.assign(n, 0.0);
  s.discrete.assign(static_cast<std::size_t>(layout_.discrete_size), 0.0);
  for (int i = 0; i < link_count(); ++i) {
    const TreeLink& part = link(i);
    double *q = s.q.data() + offset(i), *v = s.v.data() + offset(i);
    if (part.type == JointType::hinge) {
      q[0] = part.start.angle;
      v[0] = part.start.rate;
      continue;
    }
    const Mat3 R = rotation_matrix(part.start.rotation);
    const Vec3 theta = euler::angles(R, part.start.omega);
    write3(theta, q);
    const Vec3 rates = std::sin(theta[2]) == 0.0 ? euler::rates_at_pole(theta, part.start.omega)
                                                 : euler::rates(theta, part.start.omega);
    write3(is_mixed(part.form) ? part.start.omega : rates, v);
    if (part.type != JointType::floating) continue;
    write3(part.start.position, q + 3);
    write3(is_mixed(part.form) ? part.start.velocity : R * part.start.velocity, v + 3);
  }
  return s;
}

void JointTreeSystem::retract(const double* q, const double* delta, double* out) const {
  for (int i = 0; i < link_count(); ++i) {
    const TreeLink& part = link(i);
    const int at = offset(i), size = velocities(part.type);
    if (!has_angles(part) || !is_mixed(part.form)) {
      // Held angles answer the others' rates, as in rate(); that needs no more than q.
      const bool held = has_angles(part) && part.form == AngleForm::replaced && near_pole(Point{0.0, q}, i);
      Vec3 turn = Vec3::Zero();
      if (held) turn = euler::replaced_rates(read3(q + at), read3(delta + at));
      for (int k = 0; k < size; ++k) out[at + k] = q[at + k] + (held && k < 3 ? turn[k] : delta[at + k]);
      continue;
    }
    const Vec3 theta = read3(q + at);
    const Quat before = quaternion_of(theta);
    if (part.type == JointType::ball) {
      write3(euler::angles_near(rotation_matrix(before * exponential(read3(delta + at))), theta), out + at);
      continue;
    }
    const Mat<D1, 3, 3> turned = rotation_matrix(exponential(screw(delta + at)));  // R + eps p~ R
    Mat3 R, rate;
    for (int k = 0; k < 9; ++k) {
      R.e[k] = turned.e[k].value;
      rate.e[k] = turned.e[k].d[0];
    }
    const Mat3 p = rate * R.transpose();
    const Mat3 old = rotation_matrix(before);
    const Vec3 x = read3(q + at + 3) + old * Vec3{{p(2, 1), p(0, 2), p(1, 0)}};
    write3(euler::angles_near(old * R, theta), out + at);
    write3(x, out + at + 3);
  }
}

void JointTreeSystem::difference(const double* from, const double* to, double* out) const {
  for (int i = 0; i < link_count(); ++i) {
    const TreeLink& part = link(i);
    const int at = offset(i), size = velocities(part.type);
    if (!has_angles(part) || !is_mixed(part.form)) {
      for (int k = 0; k < size; ++k) out[at + k] = to[at + k] - from[at + k];
      continue;
    }
    const Quat before = quaternion_of(read3(from + at));
    const Quat turn = conjugate(before) * quaternion_of(read3(to + at));
    if (part.type == JointType::ball) {
      write3(logarithm(turn), out + at);
      continue;
    }
    const Vec3 p = transpose_times(rotation_matrix(before), Vec3(read3(to + at + 3) - read3(from + at + 3)));
    const Quat half = Quat{0.0, 0.5 * p[0], 0.5 * p[1], 0.5 * p[2]} * turn;
    Quaternion<D1> pose{turn.w, turn.x, turn.y, turn.z};
    pose.w.d[0] = half.w;
    pose.x.d[0] = half.x;
    pose.y.d[0] = half.y;
    pose.z.d[0] = half.z;
    write_screw(logarithm(pose), out + at);
  }
}

void JointTreeSystem::inverse_tangent(const double* increment, const double* delta, double* out) const {
  for (int i = 0; i < link_count(); ++i) {
    const TreeLink& part = link(i);
    const int at = offset(i), size = velocities(part.type);
    if (!has_angles(part) || !is_mixed(part.form))
      std::copy(delta + at, delta + at + size, out + at);
    else if (part.type == JointType::ball)
      write3(catena::inverse_tangent(read3(increment + at)) * read3(delta + at), out + at);
    else
      write_screw(catena::inverse_tangent(screw(increment + at)) * screw(delta + at), out + at);
  }
}

void JointTreeSystem::bracket(const double* v, const double* w, double* out) const {
  for (int i = 0; i < link_count(); ++i) {
    const TreeLink& part = link(i);
    const int at = offset(i), size = velocities(part.type);
    if (!has_angles(part) || !is_mixed(part.form))
      std::fill(out + at, out + at + size, 0.0);
    else if (part.type == JointType::ball)
      write3(cross(read3(v + at), read3(w + at)), out + at);
    else
      write_screw(cross(screw(v + at), screw(w + at)), out + at);
  }
}

void JointTreeSystem::rate(const Point& at, double* qdot) const {
  for (int i = 0; i < link_count(); ++i) {
    const TreeLink& part = link(i);
    const double *q = at.q + offset(i), *v = at.v + offset(i);
    double* out = qdot + offset(i);
    std::copy(v, v + velocities(part.type), out);
    if (!has_angles(part)) continue;
    const Vec3 theta = read3(q), u = read3(v);
    const bool pole = part.form != AngleForm::plain && near_pole(at, i);
    switch (part.form) {
      case AngleForm::plain:
        break;
      case AngleForm::replaced:
        if (pole) write3(euler::replaced_rates(theta, u), out);
        break;
      case AngleForm::printed_replaced:
        // The rows q1' = X1 and q1' = 0 together, by least squares.
        if (pole) out[0] = 0.5 * v[0];
        break;
      case AngleForm::mixed:
        write3(pole ? euler::rates_at_pole(theta, u) : euler::rates(theta, u), out);
        break;
      case AngleForm::printed_rates:
        write3(pole ? euler::rates_at_pole(theta, u) : euler::printed::rates(theta, u), out);
        break;
      case AngleForm::printed_pole:
        write3(pole ? euler::printed::rates_at_pole(theta, u, rule_.epsilon) : euler::rates(theta, u), out);
        break;
    }
    if (part.type == JointType::floating && is_mixed(part.form))
      write3(euler::rotation(theta) * read3(v + 3), out + 3);
  }
}

bool JointTreeSystem::update_discrete(State& state) const {
  if (layout_.discrete_size == 0) return false;
  const Point at = point_of(state);
  std::array<double, JointTree::max_links> now{};  // all of them before the first is changed
  for (int i = 0; i < link_count(); ++i)
    if (remembers(i)) now[static_cast<std::size_t>(i)] = near_pole(at, i, true) ? 1.0 : 0.0;
  bool changed = false;
  for (int i = 0; i < link_count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (!remembers(i)) continue;
    double& mode = state.discrete[static_cast<std::size_t>(discrete_at_[k])];
    if (mode == now[k]) continue;
    mode = now[k];
    changed = true;
    double* v = state.v.data() + offset(i);
    if (mode == 0.0 || link(i).form != AngleForm::replaced) continue;
    double* q = state.q.data() + offset(i);
    Vec3 theta = read3(q), u = read3(v);
    euler::aim_at_pole(theta, u);
    write3(theta, q);
    write3(u, v);
  }
  return changed;
}

Energy JointTreeSystem::energy(const Point& at) const {
  const Joints<double> j = joints(at, poles(at));
  Links<double> bodies;
  tree_motion(tree_, j.data(), bodies.data());
  Energy e;
  for (int i = 0; i < link_count(); ++i) {
    const LinkPoint<double>& b = bodies[static_cast<std::size_t>(i)];
    e.kinetic += 0.5 * (link(i).mass * dot(b.v, b.v) + dot(b.omega, Vec3(link(i).inertia * b.omega)));
  }
  return e;
}

std::optional<double> JointTreeSystem::power(const Point& at) const {
  double watts = 0.0;
  for (int i = 0; i < link_count(); ++i) watts += link(i).torque * at.v[offset(i)];  // of hinges alone
  return watts;
}

std::string JointTreeSystem::velocity_block_name(int primal) const {
  const TreeLink& part = link(primal);
  const char* kind = part.type == JointType::floating ? "floating base"
                     : part.type == JointType::ball   ? "ball joint"
                                                      : "hinge";
  std::string name = std::string(kind) + " \"" + part.joint + "\"";
  if (has_angles(part) && !is_mixed(part.form)) name += " (Euler angles)";
  return name;
}

std::string JointTreeSystem::constraint_name(int) const { return {}; }

std::vector<RigidBodyState> JointTreeSystem::bodies(const State& state) const {
  Point at = point_of(state);
  if (static_cast<int>(state.discrete.size()) < layout_.discrete_size) at.discrete = nullptr;
  const Joints<double> j = joints(at, poles(at));
  Links<double> parts;
  tree_motion(tree_, j.data(), parts.data());
  std::vector<RigidBodyState> out;
  for (int i = 0; i < link_count(); ++i) {
    const TreeLink& part = link(i);
    const double* q = at.q + offset(i);
    const Quat own = has_angles(part) ? quaternion_of(read3(q)) : exponential(Vec3(q[0] * part.axis));
    Quat turned = mount_[static_cast<std::size_t>(i)] * own;
    if (part.parent >= 0) turned = out[static_cast<std::size_t>(part.parent)].orientation * turned;
    const LinkPoint<double>& b = parts[static_cast<std::size_t>(i)];
    out.push_back({b.x, turned, b.R * b.v, b.omega});
  }
  return out;
}

std::vector<std::string> JointTreeSystem::body_names() const {
  std::vector<std::string> names;
  for (const TreeLink& part : tree_.links) names.push_back(part.name);
  return names;
}

}  // namespace catena::detail
