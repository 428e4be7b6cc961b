#include <catena/model/joints.hpp>
#include <catena/problems/two_link_manipulator.hpp>

namespace catena {

void visit(OptionVisitor& visitor, TwoLinkManipulatorParameters& p) {
  visitor.real({"mass", "kg", "of each link", 1e-6, 1e6}, p.mass);
  visitor.real({"length", "m", "of each link, along body x", 1e-6, 1e6}, p.length);
  visitor.real({"radius", "m", "of the cylinder about body z that the inertia is taken from", 1e-6, 1e6},
               p.radius);
  visitor.real(
      {"spin", "rad/s", "the links start with spin (1, 0, 0) and spin (1, 1, 2), body frames", -1e4, 1e4},
      p.spin);
  visitor.real({"gravity", "m/s^2", "along -z", 0.0, 1e6}, p.gravity);
}

namespace {

Vec3 inertia_of(const TwoLinkManipulatorParameters& p) {
  const double across = p.mass * (3.0 * p.radius * p.radius + p.length * p.length) / 12.0;
  return {{across, across, 0.5 * p.mass * p.radius * p.radius}};
}

}  // namespace

Model TwoLinkManipulator::model() const {
  Model model;
  model.gravity = {{0.0, 0.0, -p_.gravity}};
  const Vec3 to_end{{0.5 * p_.length, 0.0, 0.0}};
  const Vec3 omega_1{{p_.spin, 0.0, 0.0}}, omega_2{{p_.spin, p_.spin, 2.0 * p_.spin}};
  const Vec3 v_1 = cross(omega_1, to_end), v_elbow = v_1 + cross(omega_1, to_end);
  const Mat3 inertia = diagonal(inertia_of(p_));
  const BodyId link_1 = model.add(Body{.name = "link 1",
                                       .mass = p_.mass,
                                       .inertia = inertia,
                                       .position = to_end,
                                       .velocity = v_1,
                                       .angular_velocity = omega_1});
  const BodyId link_2 = model.add(Body{.name = "link 2",
                                       .mass = p_.mass,
                                       .inertia = inertia,
                                       .position = 3.0 * to_end,
                                       .velocity = v_elbow + cross(omega_2, to_end),
                                       .angular_velocity = omega_2});
  model.add(SphericalJoint{
      .bodies = {ground, link_1}, .point_a = Vec3::Zero(), .point_b = -to_end, .name = "base"});
  model.add(
      SphericalJoint{.bodies = {link_2, link_1}, .point_a = -to_end, .point_b = to_end, .name = "elbow"});
  return model;
}

std::vector<ObservedPoint> TwoLinkManipulator::observed_points() const {
  const Vec3 to_end{{0.5 * p_.length, 0.0, 0.0}};
  return {{"elbow", 0, to_end}, {"tip", 1, to_end}};
}

std::vector<Invariant> TwoLinkManipulator::invariants() const {
  // T of link 1 is J_x spin^2 / 2; the centre of link 2 moves with spin l (0, 1, -1/2). All starts at z = 0.
  const Vec3 J = inertia_of(p_);
  const double s2 = p_.spin * p_.spin;
  const double energy =
      0.5 * s2 * (J[0] + (J[0] + J[1] + 4.0 * J[2]) + 1.25 * p_.mass * p_.length * p_.length);
  return {{"energy", "J", energy, "gravity is conservative and the joints do no work; all starts at z = 0"}};
}

}  // namespace catena
