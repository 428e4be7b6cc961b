#include <catena/model/joints.hpp>
#include <catena/model/parts/error.hpp>
#include <catena/model/parts/inertia.hpp>
#include <catena/problems/rotary_pendulum.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace catena {
using namespace detail;
namespace {

// A vector of the arm's frame in the world.
Vec3 turned(double theta_0, const Vec3& x) {
  const double s = std::sin(theta_0), c = std::cos(theta_0);
  return {{c * x[0] - s * x[1], s * x[0] + c * x[1], x[2]}};
}

}  // namespace

void visit(OptionVisitor& visitor, RotaryPendulumParameters& p) {
  visit_choice(visitor, {"coordinates", "", "two angles, or two bodies on two hinges"}, p.coordinates,
               {"minimal", "maximal"});
  visit_choice(visitor, {"control", "", "swing_up: a continuous controller swings up and balances"},
               p.control, {"none", "swing_up"});
  visitor.real({"theta_0", "rad", "angle of the arm at the start", -1e3, 1e3}, p.theta_0);
  visitor.real({"theta_1", "rad", "angle of the pendulum from upright at the start", -1e3, 1e3}, p.theta_1);
  visitor.real({"rate_0", "rad/s", "of theta_0 at the start", -1e3, 1e3}, p.rate_0);
  visitor.real({"rate_1", "rad/s", "of theta_1 at the start", -1e3, 1e3}, p.rate_1);
  RotaryPendulumConstants& c = p.constants;
  visitor.real({"arm_length", "m", "axis of the arm to the hinge", 1e-3, 1e3}, c.L0);
  visitor.real({"centre_distance", "m", "hinge to the centre of the pendulum", 1e-3, 1e3}, c.l1);
  visitor.real({"pendulum_mass", "kg", "", 1e-6, 1e6}, c.m1);
  visitor.real({"arm_inertia", "kg m^2", "about the vertical; J0", 1e-9, 1e6}, c.J0);
  visitor.real({"pendulum_inertia", "kg m^2", "about its centre, any axis; J1 < J0", 1e-9, 1e6}, c.J1);
  visitor.real({"gravity", "m/s^2", "downwards", 0.0, 1e6}, c.g);
}

std::vector<RigidBodyState> RotaryPendulumDefinition::bodies(const Vec<double, 2>& q,
                                                             const Vec<double, 2>& v) const {
  const double s = std::sin(q[1]), k = std::cos(q[1]);
  const Quat arm{std::cos(0.5 * q[0]), 0.0, 0.0, std::sin(0.5 * q[0])};
  const Quat swing{std::cos(0.5 * q[1]), -std::sin(0.5 * q[1]), 0.0, 0.0};
  const Vec3 centre = turned(q[0], {{c.L0, c.l1 * s, c.l1 * k}});
  const Vec3 relative = turned(q[0], {{0.0, c.l1 * k * v[1], -c.l1 * s * v[1]}});
  RigidBodyState first{Vec3::Zero(), arm, Vec3::Zero(), {{0.0, 0.0, v[0]}}};
  // Rx(theta_1) (0, 0, theta_0') is the turning of the arm in the frame of the pendulum.
  RigidBodyState second{centre,
                        arm * swing,
                        relative + v[0] * Vec3{{-centre[1], centre[0], 0.0}},
                        {{-v[1], -s * v[0], k * v[0]}}};
  return {first, second};
}

// The source's D_11 has J1 once and l1^2 sin^2(theta_1), but no J1 sin^2(theta_1): the pendulum has the same inertia
// about all axes, and J0 holds it.
Model RotaryPendulum::model() const {
  const RotaryPendulumConstants& c = p_.constants;
  const double about_axis = c.J0 - c.J1;
  if (!(about_axis > 0.0))
    throw ModelError("the inertia of the arm, which holds that of the pendulum, must be larger than it");
  Model model;
  model.gravity = {{0.0, 0.0, -c.g}};
  const RotaryPendulumDefinition same{.c = c};
  const auto states = same.bodies({{p_.theta_0, p_.theta_1}}, {{p_.rate_0, p_.rate_1}});
  const auto body = [&](const char* name, double mass, double inertia, const RigidBodyState& s) {
    return model.add(Body{.name = name,
                          .mass = mass,
                          .inertia = diagonal(Vec3{{inertia, inertia, inertia}}),
                          .position = s.position,
                          .orientation = s.orientation,
                          .velocity = s.velocity,
                          .angular_velocity = s.angular_velocity});
  };
  constexpr double arm_mass = 0.3;  // its centre does not move: any mass will do [kg]
  const BodyId arm = body("arm", arm_mass, about_axis, states[0]);
  const BodyId pendulum = body("pendulum", c.m1, c.J1, states[1]);
  model.add(RevoluteJoint{.bodies = {ground, arm}, .name = "motor"});
  model.add(RevoluteJoint{.bodies = {arm, pendulum},
                          .point_a = {{c.L0, 0.0, 0.0}},
                          .point_b = {{0.0, 0.0, -c.l1}},
                          .axis_a = {{-1.0, 0.0, 0.0}},
                          .axis_b = {{-1.0, 0.0, 0.0}},
                          .name = "hinge"});
  model.add(RotaryPendulumMotor{.bodies = {arm, pendulum},
                                .controlled = p_.control == RotaryPendulumParameters::Control::swing_up,
                                .control = SwingUpControl(c),
                                .name = "torque"});
  return model;
}

std::unique_ptr<System> RotaryPendulum::own_system() const {
  if (p_.coordinates == RotaryPendulumParameters::CoordinateChoice::maximal) return nullptr;
  return std::make_unique<CoordinateSystem<RotaryPendulumDefinition>>(
      RotaryPendulumDefinition{.c = p_.constants,
                               .controlled = p_.control == RotaryPendulumParameters::Control::swing_up},
      Vec<double, 2>{{p_.theta_0, p_.theta_1}}, Vec<double, 2>{{p_.rate_0, p_.rate_1}});
}

std::vector<Invariant> RotaryPendulum::invariants() const {
  if (p_.control != RotaryPendulumParameters::Control::none) return {};
  const RotaryPendulumDefinition same{.c = p_.constants};
  const Vec<double, 2> q{{p_.theta_0, p_.theta_1}}, v{{p_.rate_0, p_.rate_1}};
  const Vec<double, 2> p = same.mass(q) * v;
  return {{"energy", "J", 0.5 * dot(v, p) + same.potential(q), "gravity is conservative, the torque is zero"},
          {"angular momentum about world z", "kg m^2/s", p[0], "gravity has no moment about the vertical"}};
}

std::vector<Reference> RotaryPendulum::references() const {
  const RotaryPendulumParameters source;
  const RotaryPendulumConstants &c = p_.constants, &d = source.constants;
  const bool same =
      c.L0 == d.L0 && c.l1 == d.l1 && c.m1 == d.m1 && c.J0 == d.J0 && c.J1 == d.J1 && c.g == d.g;
  if (!same || p_.control != source.control || p_.theta_0 != source.theta_0 || p_.theta_1 != source.theta_1 ||
      p_.rate_0 != source.rate_0 || p_.rate_1 != source.rate_1)
    return {};
  struct Row {
    double t;
    Vec<double, 2> q, v;
    int digits;
  };
  const Row rows[] = {
      {0.1, {{0.010029059987, 1.797825723561}}, {{0.404146302701, 4.561550917398}}, 12},
      {0.5, {{0.963516718647, 4.712380747236}}, {{8.7258e-8, 0.027312258225}}, 12},
      {10.0, {{2.104294e-6, 1.574089587974}}, {{-6.98069574e-4, -0.546245948706}}, 12},
  };
  const char* computed = "computed for Catena";
  std::vector<Reference> known;
  const RotaryPendulumDefinition minimal{.c = c};
  for (const Row& row : rows) {
    if (p_.coordinates == RotaryPendulumParameters::CoordinateChoice::minimal) {
      known.push_back({row.t, "coordinates", "q", {row.q[0], row.q[1]}, row.digits, computed});
      known.push_back({row.t, "coordinates", "v", {row.v[0], row.v[1]}, row.digits, computed});
    } else {
      // From the same angles: no digit is lost but the last.
      const Vec3 x = minimal.bodies(row.q, row.v)[1].position;
      known.push_back({row.t, "pendulum", "position [m]", {x[0], x[1], x[2]}, row.digits - 1, computed});
    }
  }
  return known;
}

}  // namespace catena
