// The state of a simulation is a value: a copy is a checkpoint.
#pragma once
#include <vector>

namespace catena {

struct State {
  double t = 0.0;         // [s]
  std::vector<double> q;  // coordinates; bodies: (x, y, z, w, i, j, k), centre of mass and unit quaternion
  std::vector<double> v;  // velocities; bodies: (v in the world frame, Omega in the body frame)
  std::vector<double> a;  // accelerations v' at t, consistent with the constraints
  std::vector<double> lambda;  // multipliers, in the order of the dual blocks
  std::vector<double> memory;  // what the stepper carries from step to step; it knows the meaning
  // What changes at instants only: values of the system's elements (SystemLayout::discrete_size of them), then
  // those of the controllers of a run (driver/parts/controller.hpp).
  std::vector<double> discrete;
};

}  // namespace catena
