// The state of a simulation is a value: a copy is a checkpoint.
#pragma once
#include <vector>

namespace catena {

struct State {
  double t = 0.0;         // [s]
  std::vector<double> q;  // coordinates; bodies: (x, y, z, w, i, j, k), centre of mass and unit quaternion
  std::vector<double> v;  // velocities; bodies: (v in the world frame, Omega in the body frame)
  std::vector<double> a;  // accelerations v' at t, consistent with the constraints
  std::vector<double> lambda;    // multipliers, in the order of the dual blocks
  std::vector<double> memory;    // what the stepper carries from step to step; it knows the meaning
  std::vector<double> discrete;  // discrete state of joints and controllers
};

}  // namespace catena
