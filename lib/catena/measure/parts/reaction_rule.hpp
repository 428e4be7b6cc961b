// Which reactions are reported of those that redundant rows leave open: the smallest ones in a norm that the user states. The
// motion does not depend on it.
#pragma once
#include <string>
#include <vector>

namespace catena {

// Of a joint that yields by force / stiffness, and turns by torque / stiffness.
struct JointStiffness {
  double force = 1.0;   // [N/m]
  double torque = 1.0;  // [N m/rad]
};

// Reactions with the least sum of |force|^2 / stiffness + |torque|^2 / stiffness over all joints: bodies that are rigid, on
// joints that yield a little. With one stiffness for all, length^2 N m/rad for 1 N/m, that is the norm in which a torque counts as
// the forces at the ends of an arm of that length.
struct ReactionRule {
  std::string text;     // as given; empty: the reactions are those that the stepper has chosen
  double length = 0.0;  // [m] of the norm; 0: shared by stiffness
  JointStiffness common;
  struct Joint {
    std::string name;
    JointStiffness stiffness;
  };
  std::vector<Joint> joints;  // others than the common one
};

// "" , "norm:0.3" with a length in m, or "stiffness:1e6:1e4" with N/m and N m/rad, behind which joints may have their own,
// "stiffness:1e6:1e4,leg 1:2e6:1e4". Throws SelectionError.
ReactionRule reaction_rule(const std::string& text);

// 'least squares of forces and of torques over 0.3 m', for people.
std::string describe(const ReactionRule& rule);

}  // namespace catena
