// A coordinate of a joint with its weight, as couplings are made of (joint_coupling.hpp).
#pragma once
#include <catena/model/parts/ids.hpp>

namespace catena {

// Of the second body against the first, between the markers of the joint.
enum class JointCoordinate {
  // About axis_a, from side_a to side_b, over any number of turns [rad]. Of a universal joint: of axis_b about axis_a, 0 where
  // the frames of both bodies are aligned.
  angle,
  displacement,  // of point_b from point_a along axis_a [m]
};

struct JointTerm {
  ConstraintId joint{};
  JointCoordinate coordinate = JointCoordinate::angle;
  double coefficient = 1.0;  // [1]; of an angle beside displacements [m/rad]
};

}  // namespace catena
