// Angle and displacement of a joint between two markers, and their rates.
#pragma once
#include <catena/model/model.hpp>
#include <catena/system/system.hpp>

#include <optional>

namespace catena {

// Exact derivatives of each other. The angle is that of rows::Angle without its target, the displacement that of
// rows::Displacement. Of a hinge the displacement, of a slider the angle stays at zero but for what the joint lets through.
struct JointCoordinates {
  double angle = 0.0;         // of the second body about axis_a, from side_a to side_b [rad], in (-pi, pi]
  double angle_rate = 0.0;    // [rad/s]; not a number where side_b points along axis_a
  double displacement = 0.0;  // of point_b from point_a along axis_a [m]
  double displacement_rate = 0.0;  // [m/s]
};

// A joint with its markers, ready to be evaluated.
struct MarkedJoint {
  int constraint = 0;  // dual block
  BodyId body_a = ground, body_b = ground;
  Mat3 triad_a = Mat3::Identity(),
       triad_b = Mat3::Identity();  // columns x (side), y, z (axis) in the frames of the bodies
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();  // frames of the bodies [m]
  bool has_axis = true;                                 // false: a ball joint, whose triads mean nothing
};

// Empty: the joint has no markers, as a rod or a blade.
std::optional<MarkedJoint> marked_joint(const Model& model, ConstraintId joint);

// a, b: its bodies; the ground is at the origin.
JointCoordinates coordinates(const MarkedJoint& joint, const RigidBodyState& a, const RigidBodyState& b);

}  // namespace catena
