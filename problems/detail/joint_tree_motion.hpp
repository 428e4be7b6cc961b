// What a joint tree is without angles: its twin in maximal coordinates, and its motion by quaternions.
#pragma once
#include <catena/model/model.hpp>
#include <catena/problems/detail/joint_tree.hpp>

namespace catena::detail {

// Bodies with spherical and revolute joints, in the starting positions of the tree; hinge motors as torques on
// both bodies. Throws ModelError like Model::add.
Model model_of(const JointTree& tree);

// Moves the starting positions and velocities of the tree along its motion by `time` [s] (negative: back), with the
// classical Runge-Kutta method in `steps` equal steps on unit quaternions, which know no pole. Error of order four.
void advance_start(JointTree& tree, double time, int steps);

}  // namespace catena::detail
