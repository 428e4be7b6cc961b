#include <catena/model/joints.hpp>
#include <catena/problems/heavy_top.hpp>

namespace catena {

void visit(OptionVisitor& visitor, HeavyTopParameters& p) {
  visitor.real({"spin", "rad/s", "about the axis of symmetry, body y", -1e4, 1e4}, p.spin);
  visitor.real({"precession", "rad/s", "about body z, at the start", -1e4, 1e4}, p.precession);
  visitor.real({"gravity", "m/s^2", "along -z", 0.0, 1e6}, p.gravity);
}

Model HeavyTop::model() const {
  Model model;
  model.gravity = {{0.0, 0.0, -p_.gravity}};
  const Vec3 to_centre = {{0.0, 1.0, 0.0}};  // from the fixed point, body frame [m]
  const Vec3 omega = {{0.0, p_.spin, p_.precession}};
  const BodyId top = model.add(Body{.name = "top",
                                    .mass = 15.0,
                                    .inertia = diagonal(Vec3{{0.234375, 0.46875, 0.234375}}),
                                    .position = to_centre,
                                    .velocity = cross(omega, to_centre),
                                    .angular_velocity = omega});
  model.add(SphericalJoint{
      .bodies = {ground, top}, .point_a = Vec3::Zero(), .point_b = -to_centre, .name = "fixed point"});
  return model;
}

std::vector<Invariant> HeavyTop::invariants() const {
  // About the fixed point: J_x + m |X|^2 and the same for z.
  const double about_point = 0.234375 + 15.0;
  const double energy = 0.5 * (0.46875 * p_.spin * p_.spin + about_point * p_.precession * p_.precession);
  return {
      {"energy", "J", energy, "gravity is conservative, the joint does no work; the centre starts at z = 0"},
      {"angular velocity about body y", "rad/s", p_.spin,
       "the top is symmetric and nothing turns it about that axis"},
      {"angular momentum about world z", "kg m^2/s", about_point * p_.precession,
       "gravity and the ball joint at the origin have no moment about it"}};
}

std::vector<Reference> HeavyTop::references() const {
  const HeavyTopParameters paper;
  if (p_.spin != paper.spin || p_.precession != paper.precession || p_.gravity != paper.gravity) return {};
  const char* source = "computed for Catena; problem: Bruels, Cardona, Arnold 2012";
  return {
      {0.1,
       "top",
       "position [m]",
       {0.42129665892540204365, 0.89457197434559299089, -0.14916470056189961162},
       20,
       source},
      {0.1,
       "top",
       "quaternion",
       {0.33182291260830082312, 0.17733805666693702547, 0.91497515913872790237, -0.14582601443088862314},
       20,
       source},
      {0.5,
       "top",
       "position [m]",
       {-0.70246829705658558934, -0.02116518470192332658, -0.71140025765173440555},
       20,
       source},
      {0.5,
       "top",
       "quaternion",
       {0.58456062406941464192, -0.70066289541220650374, 0.38432575302289440504, 0.14019307880043520044},
       20,
       source},
      {1.0,
       "top",
       "position [m]",
       {0.17334396409838604259, 0.64008859207056878286, -0.74849079113358130948},
       20,
       source},
      {1.0,
       "top",
       "quaternion",
       {0.73294398067966371815, -0.27828571933761267852, 0.53182461133416261792, -0.32017614273624928141},
       20,
       source},
  };
}

}  // namespace catena
