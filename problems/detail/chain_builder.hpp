// What the chains have in common: links of one kind, joined end to end, the first to ground.
#pragma once
#include <catena/model/model.hpp>

#include <string>
#include <vector>

namespace catena::detail {

enum class ChainJoint : int { spherical, revolute };
const std::vector<std::string>& chain_joint_names();  // for visit_choice

struct ChainLink {
  double mass = 1.0;              // [kg]
  Vec3 inertia = {{1., 1., 1.}};  // principal moments about the centre of mass, body axes [kg m^2]
  Vec3 begin = Vec3::Zero();      // joint to the link before, body frame [m]
  Vec3 end = Vec3::Zero();        // joint to the next link, body frame [m]
};

// Links "link 1" ... "link N" with the given orientations, at rest; the first begins at the origin, each of the
// others where the one before ends. Joints "joint 1" ...: joint k ties link k-1 (or the ground) to link k, so its
// multiplier is the force on link k-1 (or the ground). hinge_axis: of revolute joints, frame of link k.
Model build_chain(const ChainLink& link, const std::vector<Quat>& orientations, ChainJoint joint,
                  const Vec3& hinge_axis, const Vec3& gravity);

// Turns by an angle [rad] about the body axis 0, 1 or 2.
Quat turn(int axis, double angle);

// sum -m g . x of the initial positions [J]
double initial_potential(const Model& model);

}  // namespace catena::detail
