// Multipliers, reactions and coordinates of one joint, and poses of one body, of a state; assembly to given coordinates.
// All throw ModelError for a number that the model of the system does not have, and std::invalid_argument for a state of
// another system.
#pragma once
#include <catena/assembly/parts/body_system.hpp>
#include <catena/kkt/parts/assemble.hpp>
#include <catena/measure/parts/joint_coordinates.hpp>

#include <span>

namespace catena {

// Of a joint in State::lambda; the rows are in the order of the joint's list (model/joints.hpp). Multipliers of
// lengths are minus the force on the second body along the row [N], of angles and axes minus the moment [N m].
std::span<const double> multipliers(const BodySystem& system, const State& state, ConstraintId joint);

struct JointReaction {
  BodyId body = ground;        // that feels it: the second body, or the first where the second does not move
  Vec3 point = Vec3::Zero();   // where it acts, world frame [m]
  Vec3 force = Vec3::Zero();   // on that body, world axes [N]
  Vec3 torque = Vec3::Zero();  // on that body about the point, world axes [N m]
};
// What a joint does to its second body. Of a hanging mass with the ceiling as first body the force is +m g upward.
// Builds what it needs for one joint on each call; for all joints at many instants take a ReactionMeter.
JointReaction reaction(const BodySystem& system, const State& state, ConstraintId joint);

// Of a joint with markers; those of a joint without an axis are along z. Throws std::invalid_argument naming a joint that
// has no markers, such as a rod.
JointCoordinates coordinate(const BodySystem& system, const State& state, ConstraintId joint);

// Place and orientation of a body, its velocity [m/s] in world axes and its angular velocity [rad/s] in its own. The
// ground and fixed bodies do not move.
RigidBodyState pose(const BodySystem& system, const State& state, BodyId body);

}  // namespace catena
