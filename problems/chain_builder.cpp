#include <catena/model/joints.hpp>
#include <catena/problems/detail/chain_builder.hpp>

#include <cmath>

namespace catena::detail {

const std::vector<std::string>& chain_joint_names() {
  static const std::vector<std::string> names{"spherical", "revolute"};
  return names;
}

Quat turn(int axis, double angle) {
  Vec3 v = Vec3::Zero();
  v[axis] = std::sin(0.5 * angle);
  return {std::cos(0.5 * angle), v[0], v[1], v[2]};
}

Model build_chain(const ChainLink& link, const std::vector<Quat>& orientations, ChainJoint joint,
                  const Vec3& hinge_axis, const Vec3& gravity) {
  Model model;
  model.gravity = gravity;
  BodyId before = ground;
  Vec3 point_before = Vec3::Zero();  // frame of `before`
  Quat turned_before = Quat::Identity();
  Vec3 tip = Vec3::Zero();  // world
  int number = 0;
  for (const Quat& orientation : orientations) {
    ++number;
    const Mat3 R = rotation_matrix(orientation);
    Body body;
    body.name = "link " + std::to_string(number);
    body.mass = link.mass;
    body.inertia = diagonal(link.inertia);
    body.position = tip - R * link.begin;
    body.orientation = orientation;
    const BodyId id = model.add(body);
    const std::string name = "joint " + std::to_string(number);
    if (joint == ChainJoint::spherical) {
      model.add(SphericalJoint{
          .bodies = {before, id}, .point_a = point_before, .point_b = link.begin, .name = name});
    } else {
      const Mat3 relative = rotation_matrix(conjugate(turned_before) * orientation);
      model.add(RevoluteJoint{.bodies = {before, id},
                              .point_a = point_before,
                              .point_b = link.begin,
                              .axis_a = relative * hinge_axis,
                              .axis_b = hinge_axis,
                              .name = name});
    }
    tip = body.position + R * link.end;
    before = id;
    point_before = link.end;
    turned_before = orientation;
  }
  return model;
}

double initial_potential(const Model& model) {
  double sum = 0.0;
  for (const Body& body : model.bodies()) sum -= body.mass * dot(model.gravity, body.position);
  return sum;
}

}  // namespace catena::detail
