#include <catena/math/parts/rotated.hpp>
#include <catena/problems/detail/euler_ball_joint.hpp>
#include <catena/problems/detail/joint_tree_motion.hpp>
#include <catena/problems/space_manipulator.hpp>

#include <cmath>
#include <string>

namespace catena {
using namespace detail;
namespace {

const double pi = std::acos(-1.0);

struct Passage {
  Quat rotation;
  Vec3 omega;
};

// theta = (0.6, 0.3, theta3), moving across the pole at 0.8 rad/s where theta3 is on it, else sideways past it.
Passage at_pole(double nearest, bool at_pi, double spin) {
  const double theta1 = 0.6, theta2 = 0.3, s = std::sin(theta1), c = std::cos(theta1);
  const auto about = [](int axis, double angle) {
    Vec3 v = Vec3::Zero();
    v[axis] = std::sin(0.5 * angle);
    return Quat{std::cos(0.5 * angle), v[0], v[1], v[2]};
  };
  const Vec3 across = nearest == 0.0 ? Vec3{{c, -s, 0.0}} : Vec3{{s, c, 0.0}};
  return {about(2, theta2) * about(0, at_pi ? pi - nearest : nearest) * about(2, theta1),
          0.8 * across + Vec3{{0.0, 0.0, spin}}};
}

TreeLink centre_body() {
  TreeLink link;
  link.name = "centre";
  link.joint = "centre";
  link.mass = 200.0;
  link.inertia = {{30.0, 1.0, -0.5, 1.0, 34.0, 0.8, -0.5, 0.8, 28.0}};
  link.type = JointType::floating;
  link.start.rotation = exponential(Vec3{{0.5, -0.7, 0.4}});
  link.start.omega = {{0.2, -0.1, 0.15}};
  link.start.velocity = {{0.05, 0.0, -0.02}};
  return link;
}

// side: +1 left, -1 right. Upper arms point along +-y of the centre body at zero angles.
TreeLink upper_arm(double side, AngleForm form) {
  TreeLink link;
  link.name = side > 0.0 ? "left upper arm" : "right upper arm";
  link.joint = side > 0.0 ? "left shoulder" : "right shoulder";
  link.mass = 12.0;
  link.inertia = diagonal(Vec3{{0.15, 1.5, 1.4}});
  link.parent = 0;
  link.type = JointType::ball;
  link.form = form;
  link.point_parent = {{0.3, side * 0.6, 0.1}};
  link.point = {{-0.6, 0.0, 0.0}};  // the arm lies along its x axis
  link.mount = rotation_matrix(exponential(Vec3{{0.0, 0.0, side * 0.5 * pi}}));
  link.start.rotation = exponential(Vec3{{0.3, 0.9, side * 0.2}});
  link.start.omega = {{0.3, side * 0.2, -0.1}};
  return link;
}

TreeLink forearm(double side, int parent, double torque) {
  TreeLink link;
  link.name = side > 0.0 ? "left forearm" : "right forearm";
  link.joint = side > 0.0 ? "left elbow" : "right elbow";
  link.mass = 8.0;
  link.inertia = diagonal(Vec3{{0.08, 0.7, 0.65}});
  link.parent = parent;
  link.type = JointType::hinge;
  link.point_parent = {{0.6, 0.0, 0.0}};
  link.point = {{-0.5, 0.0, 0.0}};
  link.axis = {{0.0, 1.0, 0.0}};
  link.torque = -torque;  // towards angle 0, where the arm is straight
  link.start.angle = 1.9;
  link.start.rate = side > 0.0 ? -0.7 : -0.6;
  return link;
}

JointTree at_passage(const SpaceManipulatorParameters& p) {
  const AngleForm form = p.form == ManipulatorForm::plain      ? AngleForm::plain
                         : p.form == ManipulatorForm::replaced ? AngleForm::replaced
                                                               : AngleForm::mixed;
  JointTree tree;
  tree.links = {centre_body(), upper_arm(1.0, form), forearm(1.0, 1, p.motor_torque), upper_arm(-1.0, form),
                forearm(-1.0, 3, p.motor_torque)};
  if (p.centre_in_angles) tree.links[0].form = AngleForm::plain;
  const auto pass = [&](std::size_t link, bool at_pi, double spin) {
    const Passage passage = at_pole(p.nearest, at_pi, spin);
    tree.links[link].start.rotation = passage.rotation;
    tree.links[link].start.omega = passage.omega;
  };
  switch (p.passage) {
    case ManipulatorPassage::none:
      break;
    case ManipulatorPassage::centre_zero:
      pass(0, false, 0.3);
      break;
    case ManipulatorPassage::centre_pi:
      pass(0, true, 0.3);
      break;
    case ManipulatorPassage::two_shoulders:
      pass(3, false, -0.4);
      [[fallthrough]];
    case ManipulatorPassage::one_shoulder:
      pass(1, false, 0.5);
      break;
  }
  return tree;
}

}  // namespace

void visit(OptionVisitor& visitor, SpaceManipulatorParameters& p) {
  visit_choice(
      visitor,
      {"form", "1", "shoulders: Euler angles, theta1 held near the pole, omega as velocity; or bodies"},
      p.form, {"plain", "replaced", "mixed", "maximal"});
  visitor.flag(
      {"centre_in_angles", "1", "the centre body in plain Euler angles instead of pseudo-coordinates"},
      p.centre_in_angles);
  visit_choice(visitor, {"passage", "1", "whose theta3 runs past zero, or past pi"}, p.passage,
               {"none", "centre_zero", "centre_pi", "one_shoulder", "two_shoulders"});
  visitor.real({"nearest", "rad", "distance of theta3 to the pole then; 0: straight through it", 0.0, 0.1},
               p.nearest);
  visitor.real({"instant", "s", "when that is", 0.0, 10.0}, p.instant);
  visitor.real({"motor_torque", "N m", "of both elbows, opening them", -1e4, 1e4}, p.motor_torque);
  visit(visitor, p.pole);
}

JointTree SpaceManipulator::tree() const {
  JointTree tree = at_passage(p_);
  // 5e-4 s: the error of order four is below 1e-13.
  if (p_.instant > 0.0 && p_.passage != ManipulatorPassage::none)
    advance_start(tree, -p_.instant, static_cast<int>(std::ceil(p_.instant / 5e-4)));
  return tree;
}

Model SpaceManipulator::model() const {
  return p_.form == ManipulatorForm::maximal ? model_of(tree()) : Model{};
}

std::unique_ptr<System> SpaceManipulator::own_system() const {
  if (p_.form == ManipulatorForm::maximal) return nullptr;
  return std::make_unique<JointTreeSystem>(tree(), p_.pole);
}

ProblemDefaults SpaceManipulator::defaults() const {
  return {p_.form == ManipulatorForm::maximal ? "dormand_prince" : "runge_kutta_4", 1e-3, 0.6};
}

// Momentum is stated where it can be measured, of bodies.
std::vector<Invariant> SpaceManipulator::invariants() const {
  std::vector<Invariant> kept;
  const JointTreeSystem system(tree(), p_.pole);
  const State start = system.initial_state();
  if (p_.motor_torque == 0.0)
    kept.push_back({"energy", "J", system.energy(point_of(start)).total(),
                    "nothing acts from outside, and ideal joints do no work"});
  if (p_.form != ManipulatorForm::maximal) return kept;
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  const Model bodies = model();
  const std::vector<RigidBodyState> states = system.bodies(start);
  for (int k = 0; k < bodies.body_count(); ++k) {
    const RigidBodyState& state = states[static_cast<std::size_t>(k)];
    const Body& body = bodies.body(BodyId{k});
    const Vec3 p = body.mass * state.velocity;
    linear += p;
    angular += cross(state.position, p) + rotated(state.orientation, body.inertia * state.angular_velocity);
  }
  for (int axis = 0; axis < 3; ++axis) {
    const std::string name(1, static_cast<char>('x' + axis));
    kept.push_back(
        {"linear momentum along world " + name, "kg m/s", linear[axis], "nothing acts from outside"});
    kept.push_back(
        {"angular momentum about world " + name, "kg m^2/s", angular[axis], "nothing acts from outside"});
  }
  return kept;
}

}  // namespace catena
