// Tolerances of lengths, angles, velocities and multipliers, beside those in characteristic sizes.
#pragma once

namespace catena {

// Of steppers whose tolerances are per second (their own options say so), the first four are as well.
struct KindTolerances {
  // In SI units, in place of the absolute tolerance in characteristic sizes; 0: that one counts. Of bodies, whose positions
  // have no size of their own, in place of the relative tolerance of positions too. They need a system that knows which of
  // its velocities are rotations (SystemLayout::rotation).
  double atol_length = 0.0;            // [m]
  double atol_angle = 0.0;             // [rad]
  double atol_linear_velocity = 0.0;   // [m/s]
  double atol_angular_velocity = 0.0;  // [rad/s]

  // Whether errors of multipliers reject steps too. A step may make a multiplier wrong by atol_lambda + rtol_lambda F, F the
  // largest one of the mechanism; torques by that times the reach of their joint.
  bool control_lambda = false;
  double rtol_lambda = 0.0;  // [1] 0: the relative tolerance of positions
  double atol_lambda = 0.0;  // [N], of torques [N m]

  bool any_of_positions() const { return atol_length > 0.0 || atol_angle > 0.0; }
  bool any_of_velocities() const { return atol_linear_velocity > 0.0 || atol_angular_velocity > 0.0; }
};

}  // namespace catena
