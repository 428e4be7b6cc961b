#include <catena/problems/detail/euler_ball_joint.hpp>
#include <catena/problems/detail/joint_tree_motion.hpp>
#include <catena/problems/euler_angles.hpp>

#include <cmath>

namespace catena::detail {
namespace {

constexpr double mass = 2.0;
constexpr Vec3 principal = {{0.10, 0.12, 0.05}};  // about the centre of mass, body axes
constexpr Vec3 centre = {{0.02, 0.01, 0.2}};      // from the pivot, body frame

constexpr double theta2 = 0.3;  // at the passage

TreeLink body_at_passage(double theta1, double nearest) {
  TreeLink link;
  link.name = "body";
  link.joint = "pivot";
  link.mass = mass;
  link.inertia = diagonal(principal);
  link.point = -centre;
  // Across the pole: theta3' = 1.5 rad/s straight through it, or 0 and all of it sideways past it.
  const double s = std::sin(theta1), c = std::cos(theta1);
  const Vec3 across = nearest == 0.0 ? Vec3{{c, -s, 0.0}} : Vec3{{s, c, 0.0}};
  link.start.omega = 1.5 * across + Vec3{{0.0, 0.0, 0.8}};
  const auto about = [](int axis, double angle) {
    Vec3 v = Vec3::Zero();
    v[axis] = std::sin(0.5 * angle);
    return Quat{std::cos(0.5 * angle), v[0], v[1], v[2]};
  };
  link.start.rotation = about(2, theta2) * about(0, nearest) * about(2, theta1);
  return link;
}

}  // namespace

void visit(OptionVisitor& visitor, PoleRule& rule) {
  visit_choice(
      visitor,
      {"pole_test", "1", "sine: |sin theta3| <= epsilon; condition: estimate of the mass matrix in angles"},
      rule.test, {"sine", "condition"});
  visitor.real({"epsilon", "1", "half width of the band about the pole, where pole_test is sine", 0.0, 0.5},
               rule.epsilon);
  visitor.real(
      {"limit_mass", "1", "plain and replaced form: condition of the mass matrix for that", 1.0, 1e300},
      rule.limit_mass);
  visitor.real({"limit_rates", "1", "mixed form: condition of the kinematic equation for that", 1.0, 1e300},
               rule.limit_rates);
  visitor.real(
      {"release", "1",
       "hysteresis: a joint near the pole stays so until the condition is below release * limit; 1: none",
       1e-6, 1.0},
      rule.release);
  visitor.flag({"refuse_plain", "1", "plain form: a joint near the pole ends the step with its name"},
               rule.refuse_plain);
}

void visit(OptionVisitor& visitor, EulerBallJointParameters& p) {
  visit_choice(
      visitor,
      {"form", "1",
       "Euler angles, theta1 held near the pole, omega as velocity; the printed formulas; bodies"},
      p.form, {"plain", "replaced", "mixed", "printed_replaced", "printed_rates", "printed_pole", "maximal"});
  visitor.real(
      {"nearest", "rad", "theta3 where it is closest to the pole; 0: straight through it", -0.1, 0.1},
      p.nearest);
  visitor.real({"theta1", "rad", "theta1 then", -10.0, 10.0}, p.theta1);
  visitor.real({"passage", "s", "when that is", 0.0, 10.0}, p.passage);
  visit(visitor, p.pole);
}

Mat3 EulerBallJoint::inertia_about_pivot() {
  return diagonal(principal) - mass * (skew(centre) * skew(centre));
}

JointTree EulerBallJoint::tree() const {
  JointTree tree;
  tree.links.push_back(body_at_passage(p_.theta1, p_.nearest));
  // 1e-4 s: the error of order four is below 1e-13.
  if (p_.passage > 0.0) advance_start(tree, -p_.passage, static_cast<int>(std::ceil(p_.passage / 1e-4)));
  if (p_.form != BallJointForm::maximal) tree.links[0].form = static_cast<AngleForm>(p_.form);
  return tree;
}

Model EulerBallJoint::model() const { return p_.form == BallJointForm::maximal ? model_of(tree()) : Model{}; }

std::unique_ptr<System> EulerBallJoint::own_system() const {
  if (p_.form == BallJointForm::maximal) return nullptr;
  return std::make_unique<JointTreeSystem>(tree(), p_.pole);
}

ProblemDefaults EulerBallJoint::defaults() const {
  return {p_.form == BallJointForm::maximal ? "dormand_prince" : "runge_kutta_4", 1e-3, 2.0 * p_.passage};
}

std::vector<Invariant> EulerBallJoint::invariants() const {
  const JointMotion start = body_at_passage(p_.theta1, p_.nearest).start;
  return {{"energy", "J", 0.5 * dot(start.omega, Vec3(inertia_about_pivot() * start.omega)),
           "no gravity, and a ball joint does no work"}};
}

}  // namespace catena::detail
