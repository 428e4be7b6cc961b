// The balance of a joint tree and its derivatives (joint_tree_system.hpp).
#include <catena/math/parts/dual.hpp>
#include <catena/problems/detail/joint_tree_system.hpp>
#include <catena/problems/euler_angles.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace catena::detail {
namespace {

using D1 = Dual<double, 1>;
constexpr int max_n = JointTreeSystem::max_velocities;

template <class S>
Vec<S, 3> read3(const S* x) {
  return {{x[0], x[1], x[2]}};
}

// The 3 x 3 block of the mass matrix that belongs to the angular rates at offset.
Mat3 angular_block(const JointTree& tree, const JointPoint<double>* joints, int offset) {
  double unit[max_n] = {}, column[max_n] = {};
  LinkPoint<double> work[JointTree::max_links];
  Mat3 A;
  for (int c = 0; c < 3; ++c) {
    unit[offset + c] = 1.0;
    tree_residual(tree, joints, unit, false, work, column);
    unit[offset + c] = 0.0;
    for (int r = 0; r < 3; ++r) A(r, c) = column[offset + r];
  }
  return A;
}

}  // namespace

// turn: mixed forms; perturbation R <- R (I + turn~). Null: none.
template <class S>
JointPoint<S> JointTreeSystem::joint_point(int i, const S* q, const S* v, const S* turn, bool held) const {
  const TreeLink& part = link(i);
  JointPoint<S> j;
  j.held = held;
  const Mat<S, 3, 3> mount = cast<S>(part.mount);
  if (part.type == JointType::hinge) {
    // Rodrigues, with the axis the same in both frames
    const Vec<S, 3> axis = cast<S>(part.axis);
    const Mat<S, 3, 3> k = skew(axis);
    const Mat<S, 3, 3> R = Mat<S, 3, 3>::Identity() + sin(q[0]) * k + (S(1.0) - cos(q[0])) * (k * k);
    j.R = mount * R;
    j.omega = v[0] * axis;
    return j;
  }
  const Vec<S, 3> theta = read3(q);
  Mat<S, 3, 3> R = euler::rotation(theta);
  if (turn != nullptr) R = R + R * skew(read3(turn));
  j.R = mount * R;
  if (is_mixed(part.form)) {
    j.map = Mat<S, 3, 3>::Identity();
    j.drift = Vec<S, 3>::Zero();
    j.omega = read3(v);
  } else {
    const Vec<S, 3> u = held ? euler::replaced_rates(theta, read3(v)) : read3(v);
    j.map = euler::rate_matrix(theta);
    j.drift = euler::rate_drift(theta, u);
    j.omega = j.map * u;
  }
  if (part.type == JointType::floating) {
    j.x = read3(q + 3);
    j.world_velocity = !is_mixed(part.form);
    j.v = j.world_velocity ? transpose_times(j.R, read3(v + 3)) : read3(v + 3);
  }
  return j;
}

JointTreeSystem::Joints<double> JointTreeSystem::joints(const Point& at, const Flags& poles) const {
  static constexpr double zero[max_n] = {};
  const double* v = at.v == nullptr ? zero : at.v;
  Joints<double> j;
  for (int i = 0; i < link_count(); ++i) {
    const bool held = poles[static_cast<std::size_t>(i)] && link(i).form == AngleForm::replaced;
    j[static_cast<std::size_t>(i)] = joint_point<double>(i, at.q + offset(i), v + offset(i), nullptr, held);
  }
  return j;
}

double JointTreeSystem::condition_estimate(const Point& at, int i) const {
  const TreeLink& part = link(i);
  if (part.type == JointType::hinge) return 1.0;
  if (is_mixed(part.form)) {
    const Mat3 E = euler::rate_matrix(read3(at.q + offset(i)));
    return euler::condition(transpose_times(E, E));
  }
  Joints<double> j = joints(at, Flags{});
  const double angles = euler::condition(angular_block(tree_, j.data(), offset(i)));
  j[static_cast<std::size_t>(i)].map = Mat3::Identity();
  return angles / euler::condition(angular_block(tree_, j.data(), offset(i)));
}

bool JointTreeSystem::remembers(int i) const {
  const TreeLink& part = link(i);
  return part.type != JointType::hinge && part.form != AngleForm::plain && rule_.release < 1.0;
}

bool JointTreeSystem::near_pole(const Point& at, int i, bool end_of_step) const {
  constexpr double beyond = 100.0;
  const TreeLink& part = link(i);
  if (part.type == JointType::hinge) return false;
  double factor = 1.0;  // on the limit
  if (remembers(i) && at.discrete != nullptr && at.discrete[discrete_at_[static_cast<std::size_t>(i)]] != 0.0)
    factor = rule_.release;
  else if ((remembers(i) && part.form == AngleForm::replaced && !end_of_step) ||
           (part.form == AngleForm::plain && rule_.test == PoleRule::Test::condition))
    factor = beyond;
  if (rule_.test == PoleRule::Test::sine)
    return std::abs(std::sin(at.q[offset(i) + 2])) <= rule_.epsilon / std::sqrt(factor);
  const double limit = factor * (is_mixed(part.form) ? rule_.limit_rates : rule_.limit_mass);
  // In the 2-norm E^T I E is worse than I by the condition of E^T E at most; 1-norms of 3 x 3 matrices differ from
  // it by a factor 3 each. Far from the pole that saves the recursions.
  const Mat3 E = euler::rate_matrix(read3(at.q + offset(i)));
  if (27.0 * euler::condition(transpose_times(E, E)) < limit) return false;
  return !(condition_estimate(at, i) < limit);  // NaN counts as near
}

JointTreeSystem::Flags JointTreeSystem::poles(const Point& at) const {
  Flags near{};
  for (int i = 0; i < link_count(); ++i)
    if (link(i).type != JointType::hinge && !is_mixed(link(i).form) &&
        (link(i).form != AngleForm::plain || rule_.refuse_plain))
      near[static_cast<std::size_t>(i)] = near_pole(at, i);
  return near;
}

void JointTreeSystem::mass_matrix(const Point& at, double* out) const {
  const Flags near = poles(at);
  mass_matrix(joints(at, near), near, out);
}

void JointTreeSystem::mass_matrix(const Joints<double>& j, const Flags& near, double* out) const {
  const int n = layout_.q_size;
  double unit[max_n] = {}, column[max_n] = {};
  Links<double> work;
  for (int c = 0; c < n; ++c) {
    unit[c] = 1.0;
    tree_residual(tree_, j.data(), unit, false, work.data(), column);
    unit[c] = 0.0;
    for (int r = 0; r < n; ++r) out[r * n + c] = column[r];
  }
  for (int r = 0; r < n; ++r)  // symmetric to the last bit
    for (int c = 0; c < r; ++c) out[c * n + r] = out[r * n + c];
  empty_refused(near, out);
}

// Without row and column of theta1 every elimination finds a vanishing pivot in the block of this joint.
void JointTreeSystem::empty_refused(const Flags& near, double* matrix) const {
  const int n = layout_.q_size;
  for (int i = 0; i < link_count(); ++i) {
    if (!near[static_cast<std::size_t>(i)] || link(i).form != AngleForm::plain) continue;
    for (int c = 0; c < n; ++c) matrix[offset(i) * n + c] = matrix[c * n + offset(i)] = 0.0;
  }
}

bool JointTreeSystem::printed_equations(const Flags& near) const {
  for (int i = 0; i < link_count(); ++i)
    if (near[static_cast<std::size_t>(i)] && link(i).form == AngleForm::printed_replaced) return true;
  return false;
}

void JointTreeSystem::balance(const Point& at, const Joints<double>& j, const Flags& near,
                              double* out) const {
  static constexpr double zero[max_n] = {};
  Links<double> work;
  tree_residual(tree_, j.data(), at.a == nullptr ? zero : at.a, at.forces, work.data(), out);
  if (!printed_equations(near)) return;
  // (12): normal equations, A^T (A a - f)
  const int n = layout_.q_size;
  double A[max_n * max_n], r[max_n];
  mass_matrix(j, near, A);
  std::copy(out, out + n, r);
  for (int i = 0; i < n; ++i) {
    out[i] = 0.0;
    for (int k = 0; k < n; ++k) out[i] += A[k * n + i] * r[k];
  }
}

void JointTreeSystem::body_accelerations(const Point& at, Vec3* linear, Vec3* angular) const {
  Links<double> work;
  double r[max_n];
  tree_residual(tree_, joints(at, poles(at)).data(), at.a, true, work.data(), r);
  for (std::size_t i = 0; i < tree_.links.size(); ++i) {
    linear[i] = work[i].R * work[i].dv;
    angular[i] = work[i].domega;
  }
}

void JointTreeSystem::evaluate(const Point& at, const Evaluation& wanted) const {
  const Flags near = poles(at);
  const Joints<double> j = joints(at, near);
  if (wanted.balance != nullptr) balance(at, j, near, wanted.balance);
  if (wanted.linearization != nullptr && !wanted.linearization->rows_only)
    linearize(at, j, near, *wanted.linearization);
}

// Column `column` of dr/dq or dr/dv, r = M a - f.
void JointTreeSystem::derivative_column(const Point& at, const Flags& near, int column, bool by_q,
                                        double* out) const {
  const int n = layout_.q_size;
  D1 q[max_n], v[max_n], a[max_n], turn[max_n], r[max_n];
  for (int k = 0; k < n; ++k) {
    q[k] = D1(at.q[k]);
    v[k] = D1(at.v == nullptr ? 0.0 : at.v[k]);
    a[k] = D1(at.a == nullptr ? 0.0 : at.a[k]);
    turn[k] = D1(0.0);
  }
  Joints<D1> j;
  Links<D1> work;
  for (int i = 0; i < link_count(); ++i) {
    const TreeLink& part = link(i);
    const int begin = offset(i), local = column - begin;
    const bool held = near[static_cast<std::size_t>(i)] && part.form == AngleForm::replaced;
    if (local >= 0 && local < velocities(part.type)) {
      if (!by_q) {
        v[column].d[0] = 1.0;
      } else if (part.type == JointType::hinge || local >= 3 || !(held || is_mixed(part.form))) {
        q[column].d[0] = 1.0;
      } else if (is_mixed(part.form)) {
        turn[column].d[0] = 1.0;
      } else {
        const Vec3 way =
            euler::replaced_rates(Vec3{{at.q[begin], at.q[begin + 1], at.q[begin + 2]}}, Vec3::Unit(local));
        for (int k = 0; k < 3; ++k) q[begin + k].d[0] = way[k];
      }
    }
    j[static_cast<std::size_t>(i)] = joint_point<D1>(i, q + begin, v + begin, turn + begin, held);
  }
  tree_residual(tree_, j.data(), a, at.forces, work.data(), r);
  for (int k = 0; k < n; ++k) out[k] = r[k].d[0];
}

void JointTreeSystem::linearize(const Point& at, const Joints<double>& j, const Flags& near,
                                const Linearization& lin) const {
  const int n = layout_.q_size;
  double W[max_n * max_n] = {}, M[max_n * max_n] = {}, column[max_n] = {};
  if (lin.mass != 0.0 || printed_equations(near)) mass_matrix(j, near, M);
  if (lin.mass != 0.0)
    for (int k = 0; k < n * n; ++k) W[k] = lin.mass * M[k];
  if (lin.damping != 0.0 && at.forces)
    for (int c = 0; c < n; ++c) {
      derivative_column(at, near, c, false, column);
      for (int r = 0; r < n; ++r) W[r * n + c] += lin.damping * column[r];
    }
  if (lin.increment != nullptr) times_inverse_tangent(lin.increment, W);
  if (lin.stiffness != 0.0)
    for (int c = 0; c < n; ++c) {
      derivative_column(at, near, c, true, column);
      for (int r = 0; r < n; ++r) W[r * n + c] += lin.stiffness * column[r];
    }
  if (printed_equations(near)) {
    // Exact for the mass part, which is all that explicit steppers ask for.
    double X[max_n * max_n];
    for (int r = 0; r < n; ++r)
      for (int c = 0; c < n; ++c) {
        double sum = 0.0;
        for (int k = 0; k < n; ++k) sum += M[k * n + r] * W[k * n + c];
        X[r * n + c] = sum;
      }
    std::copy(X, X + n * n, W);
  }
  empty_refused(near, W);
  BlockMatrix& out = *lin.matrix;
  assert(&out.pattern() == layout_.pattern.get());
  const auto write = [&](const BlockRef& block, int row, int col) {
    for (int r = 0; r < block.rows; ++r)
      for (int c = 0; c < block.cols; ++c) block(r, c) = W[(row + r) * n + col + c];
  };
  for (int i = 0; i < link_count(); ++i) write(out.H(i), offset(i), offset(i));
  const auto& couplings = layout_.pattern->couplings;
  for (std::size_t k = 0; k < couplings.size(); ++k) {
    const auto [a, b] = couplings[k];
    write(out.H_upper(static_cast<int>(k)), offset(a), offset(b));
    write(out.H_lower(static_cast<int>(k)), offset(b), offset(a));
  }
}

// matrix <- matrix T^-1(increment)
void JointTreeSystem::times_inverse_tangent(const double* increment, double* matrix) const {
  const int n = layout_.q_size;
  double unit[max_n] = {}, T[max_n * max_n], X[max_n * max_n], column[max_n];
  for (int c = 0; c < n; ++c) {
    unit[c] = 1.0;
    inverse_tangent(increment, unit, column);
    unit[c] = 0.0;
    for (int r = 0; r < n; ++r) T[r * n + c] = column[r];
  }
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c) {
      double sum = 0.0;
      for (int k = 0; k < n; ++k) sum += matrix[r * n + k] * T[k * n + c];
      X[r * n + c] = sum;
    }
  std::copy(X, X + n * n, matrix);
}

}  // namespace catena::detail
