// Axes that joints hold parallel, where the bodies are at first. Their rows vanish where the axes point against each other
// as well, and lose their gradient where they are at right angles.
#pragma once
#include <catena/model/model.hpp>

#include <array>
#include <vector>

namespace catena::detail {

struct JointAxes {
  ConstraintId joint{};
  std::array<BodyId, 2> bodies = {};
  std::array<Vec3, 2> axis = {}, point = {};  // frames of the bodies; axes of unit length

  Vec3 axis_in_world(const Model& model, int i) const;
  double cosine(const Model& model) const;  // of the angle between the axes
  // Less than 30 degrees from pointing against each other: taken to be meant so, for that is where they are put most nearly.
  bool opposed(const Model& model) const;
};

// Of all joints between two markers that have such rows.
std::vector<JointAxes> held_axes(const Model& model);

// Turns body i of a joint about its point there, by the shortest way, until the axes are parallel.
void turn_axis(Model& model, const JointAxes& joint, int i);

// The same for bodies, from those that do not move outwards through all joints of two bodies, each at the joint through
// which it is reached, where its axes are more than 60 degrees apart and not opposed. still: one a body; fixed bodies are
// still as well.
void turn_axes_together(Model& model, const std::vector<JointAxes>& axes, const std::vector<char>& still);

}  // namespace catena::detail
