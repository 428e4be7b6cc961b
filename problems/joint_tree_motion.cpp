#include <catena/model/joints.hpp>
#include <catena/model/parts/orientation.hpp>
#include <catena/model/parts/torque.hpp>
#include <catena/problems/detail/joint_tree_motion.hpp>

#include <cmath>
#include <cstddef>

namespace catena::detail {
namespace {

JointPoint<double> joint_point(const TreeLink& link, const JointMotion& motion) {
  JointPoint<double> j;
  j.map = Mat3::Identity();
  j.drift = Vec3::Zero();
  j.x = motion.position;
  j.v = motion.velocity;
  if (link.type == JointType::hinge) {
    j.R = link.mount * rotation_matrix(exponential(Vec3(motion.angle * link.axis)));
    j.omega = motion.rate * link.axis;
  } else {
    j.R = link.mount * rotation_matrix(motion.rotation);
    j.omega = motion.omega;
  }
  return j;
}

// x with M x = b by Cholesky; M symmetric positive definite, row by row, destroyed.
void solve(int n, double* M, double* b) {
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < k; ++j) M[k * n + k] -= M[k * n + j] * M[k * n + j];
    M[k * n + k] = std::sqrt(M[k * n + k]);
    for (int i = k + 1; i < n; ++i) {
      for (int j = 0; j < k; ++j) M[i * n + k] -= M[i * n + j] * M[k * n + j];
      M[i * n + k] /= M[k * n + k];
    }
    for (int j = 0; j < k; ++j) b[k] -= M[k * n + j] * b[j];
    b[k] /= M[k * n + k];
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int i = k + 1; i < n; ++i) b[k] -= M[i * n + k] * b[i];
    b[k] /= M[k * n + k];
  }
}

using Motions = std::vector<JointMotion>;

// The time derivative of every number in a motion.
Motions derivative(const JointTree& tree, const Motions& motion) {
  const std::size_t links = tree.links.size();
  std::vector<JointPoint<double>> joint;
  for (std::size_t i = 0; i < links; ++i) joint.push_back(joint_point(tree.links[i], motion[i]));
  LinkPoint<double> work[JointTree::max_links];
  const int n = tree.velocity_count();
  constexpr int max_n = 6 + 3 * (JointTree::max_links - 1);
  double unit[max_n] = {}, column[max_n], M[max_n * max_n], a[max_n];
  tree_residual(tree, joint.data(), unit, true, work, a);
  for (int k = 0; k < n; ++k) a[k] = -a[k];
  for (int c = 0; c < n; ++c) {
    unit[c] = 1.0;
    tree_residual(tree, joint.data(), unit, false, work, column);
    unit[c] = 0.0;
    for (int r = 0; r < n; ++r) M[r * n + c] = column[r];
  }
  solve(n, M, a);
  Motions d(links);
  const double* at = a;
  for (std::size_t i = 0; i < links; ++i) {
    const TreeLink& link = tree.links[i];
    const JointMotion& m = motion[i];
    d[i].rate = link.type == JointType::hinge ? at[0] : 0.0;
    d[i].angle = m.rate;
    d[i].rotation = {0.0, 0.0, 0.0, 0.0};
    if (link.type != JointType::hinge) {
      const Quat half{0.0, 0.5 * m.omega[0], 0.5 * m.omega[1], 0.5 * m.omega[2]};
      d[i].rotation = m.rotation * half;
      d[i].omega = {{at[0], at[1], at[2]}};
    }
    if (link.type == JointType::floating) {
      d[i].position = joint[i].R * m.velocity;
      d[i].velocity = {{at[3], at[4], at[5]}};
    }
    at += velocities(link.type);
  }
  return d;
}

Motions moved(Motions x, double h, const Motions& rate) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i].angle += h * rate[i].angle;
    x[i].rate += h * rate[i].rate;
    x[i].position += h * rate[i].position;
    x[i].velocity += h * rate[i].velocity;
    x[i].omega += h * rate[i].omega;
    Quat& e = x[i].rotation;
    const Quat& d = rate[i].rotation;
    e = {e.w + h * d.w, e.x + h * d.x, e.y + h * d.y, e.z + h * d.z};
  }
  return x;
}

void normalize(Motions& x) {
  for (JointMotion& m : x) m.rotation = normalized(m.rotation);
}

}  // namespace

Model model_of(const JointTree& tree) {
  std::vector<JointPoint<double>> joint;
  for (const TreeLink& link : tree.links) joint.push_back(joint_point(link, link.start));
  LinkPoint<double> bodies[JointTree::max_links];
  tree_motion(tree, joint.data(), bodies);
  Model model;
  std::vector<BodyId> ids;
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const TreeLink& link = tree.links[i];
    const LinkPoint<double>& b = bodies[i];
    ids.push_back(model.add(Body{.name = link.name,
                                 .mass = link.mass,
                                 .inertia = link.inertia,
                                 .position = b.x,
                                 .orientation = orientation_from_matrix(b.R),
                                 .velocity = b.R * b.v,
                                 .angular_velocity = b.omega}));
    const BodyId parent = link.parent < 0 ? ground : ids[static_cast<std::size_t>(link.parent)];
    if (link.type == JointType::ball)
      model.add(SphericalJoint{.bodies = {parent, ids.back()},
                               .point_a = link.point_parent,
                               .point_b = link.point,
                               .name = link.joint});
    if (link.type != JointType::hinge) continue;
    const Vec3 axis_parent = link.mount * link.axis;
    model.add(RevoluteJoint{.bodies = {parent, ids.back()},
                            .point_a = link.point_parent,
                            .point_b = link.point,
                            .axis_a = axis_parent,
                            .axis_b = link.axis,
                            .name = link.joint});
    if (link.torque == 0.0) continue;
    model.add(Torque{.bodies = {ids.back()},
                     .torque = link.torque * link.axis,
                     .axes = Axes::body,
                     .name = link.joint + " motor"});
    if (link.parent >= 0)
      model.add(Torque{.bodies = {parent},
                       .torque = -link.torque * axis_parent,
                       .axes = Axes::body,
                       .name = link.joint + " motor, reaction"});
  }
  return model;
}

void advance_start(JointTree& tree, double time, int steps) {
  Motions x;
  for (const TreeLink& link : tree.links) x.push_back(link.start);
  const double h = time / steps;
  for (int k = 0; k < steps; ++k) {
    const Motions k1 = derivative(tree, x), k2 = derivative(tree, moved(x, 0.5 * h, k1)),
                  k3 = derivative(tree, moved(x, 0.5 * h, k2)), k4 = derivative(tree, moved(x, h, k3));
    x = moved(moved(moved(moved(x, h / 6.0, k1), h / 3.0, k2), h / 3.0, k3), h / 6.0, k4);
    normalize(x);
  }
  for (std::size_t i = 0; i < x.size(); ++i) tree.links[i].start = x[i];
}

}  // namespace catena::detail
