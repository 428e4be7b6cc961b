// A controller for the rotary pendulum, as a formula of its motion: it pumps energy into the pendulum until that
// has the energy of the upright position (after K. J. Astrom, K. Furuta, Automatica 36, 2000), and holds it there by
// linear state feedback, with a smooth passage from one to the other, so that methods keep their order. It chooses
// the angular acceleration u of the arm; the torque for u follows from the equations of motion.
#pragma once
#include <catena/math/parts/dual.hpp>

#include <cmath>

namespace catena::detail {

struct RotaryPendulumConstants {
  double L0 = 0.2159;  // length of the arm [m]
  double l1 = 0.1556;  // hinge to the centre of the pendulum [m]
  double m1 = 0.1270;  // of the pendulum [kg]
  double J0 = 0.0020;  // of the arm about the vertical [kg m^2]
  double J1 = 0.0012;  // of the pendulum about any axis through its centre [kg m^2]
  double g = 9.80;     // [m/s^2]
};

// What a controller measures. Angles come by their sines and cosines, the same in all coordinates.
template <class S>
struct RotaryPendulumMotion {
  S sin_0, rate_0, sin_1, cos_1, rate_1;
};

class SwingUpControl {
 public:
  explicit SwingUpControl(const RotaryPendulumConstants& constants) : c_(constants) {
    // u = k . (theta_0, theta_0', theta_1, theta_1') makes the linear closed loop (s + p)^2 (s + r)^2.
    constexpr double p = 8.0, r = 3.0;  // [1/s]
    const double inertia = c_.J1 + c_.m1 * c_.l1 * c_.l1;
    const double a = c_.m1 * c_.g * c_.l1 / inertia, b = c_.m1 * c_.l1 * c_.L0 / inertia;
    gain_[0] = p * p * r * r / a;
    gain_[1] = 2.0 * p * r * (p + r) / a;
    gain_[2] = (p * p + 4.0 * p * r + r * r + a + gain_[0]) / b;
    gain_[3] = (2.0 * (p + r) + gain_[1]) / b;
  }

  // [N m], at most torque_limit.
  template <class S>
  S torque(const RotaryPendulumMotion<S>& x) const {
    const double inertia = c_.J1 + c_.m1 * c_.l1 * c_.l1, weight = c_.m1 * c_.g * c_.l1;
    const S energy =
        (0.5 * inertia / weight) * (x.rate_1 * x.rate_1) + x.cos_1 - 1.0;  // over weight; upright: 0
    const S balance = gain_[0] * x.sin_0 + gain_[1] * x.rate_0 + gain_[2] * x.sin_1 + gain_[3] * x.rate_1;
    const S pump = 8.0 * ((energy - surplus) * (x.rate_1 * x.cos_1)) - 2.0 * x.rate_0 - 20.0 * x.sin_0;
    const S far = (1.0 - x.cos_1) / (1.0 - std::cos(near_angle)) +
                  (1.0 / (near_rate * near_rate)) * (x.rate_1 * x.rate_1);
    const S weight_of_balance = 1.0 / (1.0 + far * far);
    const S u = pump + weight_of_balance * (balance - pump);
    // D_11 u + D_12 theta_1'' + ..., with theta_1'' from the second equation of motion.
    const double ml = c_.m1 * c_.l1;
    const S half = (ml * c_.l1) * (x.sin_1 * x.cos_1), coupling = (ml * c_.L0) * x.cos_1;
    const S D_11 = c_.J0 + c_.m1 * c_.L0 * c_.L0 + (ml * c_.l1) * (x.sin_1 * x.sin_1);
    const S second = half * (x.rate_0 * x.rate_0) + weight * x.sin_1;
    const S tau = D_11 * u + coupling * ((second - coupling * u) / inertia) +
                  half * (2.0 * (x.rate_0 * x.rate_1)) - (ml * c_.L0) * (x.sin_1 * (x.rate_1 * x.rate_1));
    return tau / sqrt(1.0 + (1.0 / (torque_limit * torque_limit)) * (tau * tau));
  }

  static constexpr double torque_limit = 0.5;  // [N m]

 private:
  static constexpr double surplus = 0.3;                    // energy to arrive with, over the weight
  static constexpr double near_angle = 0.6, near_rate = 7;  // where both share the work [rad], [rad/s]

  RotaryPendulumConstants c_;
  double gain_[4];
};

}  // namespace catena::detail
