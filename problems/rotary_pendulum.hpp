// The rotary inverted pendulum: an arm turns about the vertical, a pendulum swings on its tip across it. theta_0 is
// the angle of the arm, theta_1 that of the pendulum from upright [rad]. In minimal coordinates
//
//     D(q) q'' + C(q, q') q' + G(q) = (tau, 0),   q = (theta_0, theta_1),
//
// as in I. Fantoni, R. Lozano, Non-linear Control for Underactuated Mechanical Systems, Springer 2002, ch. 3, and in
// maximal ones as two bodies on two hinges with the same motion. The torque tau on the arm is the sum of that of a
// continuous controller (parameter control) and of State::discrete[0], 0 at first: the input of a
// controller that samples (driver/parts/controller.hpp).
#pragma once
#include <catena/problems/detail/rotary_pendulum_control.hpp>
#include <catena/problems/problem.hpp>
#include <catena/system/coordinate_system.hpp>

#include <numbers>

namespace catena {

struct RotaryPendulumParameters {
  enum class CoordinateChoice { minimal, maximal };
  enum class Control { none, swing_up };

  CoordinateChoice coordinates = CoordinateChoice::minimal;
  Control control = Control::none;
  double theta_0 = 0.0, theta_1 = 0.5 * std::numbers::pi;  // at the start [rad]
  double rate_0 = 0.0, rate_1 = 0.0;                       // [rad/s]
  detail::RotaryPendulumConstants constants;
};
void visit(OptionVisitor& visitor, RotaryPendulumParameters& parameters);

// The definition behind CoordinateSystem.
struct RotaryPendulumDefinition {
  static constexpr int coordinates = 2, discrete = 1;
  static constexpr const char* name = "rotary pendulum";

  detail::RotaryPendulumConstants c;
  bool controlled = false;
  detail::SwingUpControl control{c};

  template <class S>
  Mat<S, 2, 2> mass(const Vec<S, 2>& q) const {
    const S s = sin(q[1]), coupling = c.m1 * c.l1 * c.L0 * cos(q[1]);
    return {{c.J0 + c.m1 * (c.L0 * c.L0 + c.l1 * c.l1 * (s * s)), coupling, coupling,
             S(c.J1 + c.m1 * c.l1 * c.l1)}};
  }
  // U - C q' - G
  template <class S>
  Vec<S, 2> force(const Vec<S, 2>& q, const Vec<S, 2>& v, const S&, const double* torque) const {
    const S s = sin(q[1]), half = c.m1 * c.l1 * c.l1 * (s * cos(q[1]));  // m1 l1^2 sin(2 theta_1) / 2
    S tau(torque[0]);
    if (controlled)
      tau += control.torque(detail::RotaryPendulumMotion<S>{sin(q[0]), v[0], s, cos(q[1]), v[1]});
    return {{tau - half * (2.0 * v[0] * v[1]) + c.m1 * c.l1 * c.L0 * (s * (v[1] * v[1])),
             half * (v[0] * v[0]) + c.m1 * c.g * c.l1 * s}};
  }
  std::array<bool, 2> angles() const { return {true, true}; }
  template <class S>
  S potential(const Vec<S, 2>& q) const {
    return c.m1 * c.g * c.l1 * cos(q[1]);
  }
  std::vector<RigidBodyState> bodies(const Vec<double, 2>& q, const Vec<double, 2>& v) const;
};

// The torque on the arm in maximal coordinates; bodies: arm, pendulum.
struct RotaryPendulumMotor {
  static constexpr const char* type_name = "rotary_pendulum_motor";
  static constexpr int discrete = 1;

  std::array<BodyId, 2> bodies;
  bool controlled = false;
  detail::SwingUpControl control;
  std::string name = {};

  template <class S>
  std::array<Vec<S, 6>, 2> wrench(const BodyFrame<S>& arm, const BodyFrame<S>& pendulum, const S&,
                                  const double* torque) const {
    S tau(torque[0]);
    if (controlled) tau += control.torque(motion(arm, pendulum));
    std::array<Vec<S, 6>, 2> w{Vec<S, 6>::Zero(), Vec<S, 6>::Zero()};
    w[0][5] = tau;
    return w;
  }
  // R_pendulum = R_arm Rx(-theta_1)
  template <class S>
  static detail::RotaryPendulumMotion<S> motion(const BodyFrame<S>& arm, const BodyFrame<S>& pendulum) {
    S s(0.0), c(0.0);
    for (int k = 0; k < 3; ++k) {
      s += arm.R(k, 1) * pendulum.R(k, 2);
      c += arm.R(k, 2) * pendulum.R(k, 2);
    }
    return {arm.R(1, 0), arm.omega[2], s, c, -pendulum.omega[0]};
  }
};

class RotaryPendulum : public Problem {
 public:
  explicit RotaryPendulum(RotaryPendulumParameters parameters = {}) : p_(parameters) {}

  std::string summary() const override {
    return "rotary inverted pendulum, free or swung up and balanced; minimal or maximal coordinates";
  }
  void visit(OptionVisitor& visitor) override { catena::visit(visitor, p_); }
  Model model() const override;
  std::unique_ptr<System> own_system() const override;
  ProblemDefaults defaults() const override { return {"dormand_prince", 2e-3, 10.0}; }
  std::vector<Invariant> invariants() const override;
  std::vector<Reference> references() const override;

 private:
  RotaryPendulumParameters p_;
};

}  // namespace catena
