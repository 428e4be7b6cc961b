// Points and planar bodies: three velocities in place of six, the same motions, sums and messages.
#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/builtin/builtin.hpp>
#include <catena/driver/run.hpp>
#include <catena/kkt/derivative_check.hpp>
#include <catena/measure/joint_values.hpp>
#include <catena/measure/parts/momentum.hpp>
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/marker.hpp>
#include <catena/model/parts/error.hpp>
#include <catena/problems/four_bar.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/generalized_alpha.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace motion_tests {

using namespace catena;
using namespace catena::detail;

State run_to(const System& system, Stepper& stepper, double h, double end) {
  State s = system.initial_state();
  const RunResult result = run(system, stepper, s, {.step = h, .end = end});
  REQUIRE_MESSAGE(result.status == Status::ok, result.culprit.name);
  return s;
}

DormandPrinceOptions tight(double tolerance) {
  DormandPrinceOptions o;
  o.rtol_position = o.atol_position = o.rtol_velocity = o.atol_velocity = tolerance;
  return o;
}

// A point on a rod of length 1 under gravity g = 1, released at an angle from the vertical.
Model pendulum(double angle) {
  Model model;
  model.gravity = {{0.0, 0.0, -1.0}};
  const BodyId bob = model.add(Body{.name = "bob",
                                    .mass = 2.0,
                                    .position = {{std::sin(angle), 0.0, -std::cos(angle)}},
                                    .motion = BodyMotion::point});
  model.add(DistanceConstraint{.bodies = {ground, bob}, .length = 1.0, .name = "rod"});
  return model;
}

// The four-bar linkage with hinges of the problem four_bar, all bodies of one kind.
Model four_bar(bool planar) {
  const Model from = FourBar({.gravity = 9.81}).model();
  Model model;
  model.gravity = from.gravity;
  for (Body body : from.bodies()) {
    if (planar) body.motion = BodyMotion::planar;
    model.add(std::move(body));
  }
  const BodyId crank{0}, coupler{1}, rocker{2};
  const auto hinge = [&](const char* name, BodyId a, double at_a, BodyId b, double at_b) {
    const Vec3 point_a{{at_a, 0.0, 0.0}}, point_b{{at_b, 0.0, 0.0}};
    if (planar)
      model.add(PointOnLineJoint{.bodies = {a, b}, .point_a = point_a, .point_b = point_b, .name = name});
    else
      model.add(RevoluteJoint{.bodies = {a, b}, .point_a = point_a, .point_b = point_b, .name = name});
  };
  hinge("a", ground, 0.0, crank, -0.15);
  hinge("b", crank, 0.15, coupler, -0.45);
  hinge("c", coupler, 0.45, rocker, 0.4);
  hinge("d", ground, 1.0, rocker, -0.4);
  return model;
}

// Everything side by side: points, planar bodies in a plane that no axis of the world is normal to, and a rigid body.
Model mixed() {
  Model model;
  model.gravity = {{0.3, -0.2, -9.81}};
  const Vec3 normal{{0.36, -0.48, 0.8}};
  const Quat askew = normalized(Quat{0.8, 0.3, -0.4, 0.2});
  const BodyId rod = model.add(Body{.name = "rod",
                                    .inertia = diagonal(Vec3{{0.1, 0.4, 0.45}}),
                                    .position = {{0.5, 0.1, -0.2}},
                                    .orientation = askew,
                                    .velocity = {{0.1, 0.2, -0.1}},
                                    .angular_velocity = {{0.7, -0.4, 0.2}}});
  const BodyId bead = model.add(Body{.name = "bead",
                                     .mass = 0.3,
                                     .position = {{1.2, 0.4, -0.9}},
                                     .velocity = {{-0.3, 0.5, 0.2}},
                                     .motion = BodyMotion::point});
  const Vec3 across = (1.0 / norm(cross(normal, Vec3::Unit(0)))) * cross(normal, Vec3::Unit(0));
  const BodyId plate =
      model.add(Body{.name = "plate",
                     .mass = 1.7,
                     .inertia = diagonal(Vec3{{0.2, 0.3, 0.4}}),
                     .position = {{-0.4, 0.3, 0.2}},
                     .orientation = normalized(Quat{0.5, -0.1, 0.7, 0.4}),
                     .velocity = 0.6 * across,
                     .angular_velocity = to_body_axes(normalized(Quat{0.5, -0.1, 0.7, 0.4}), 1.3 * normal),
                     .motion = BodyMotion::planar,
                     .normal = normal});
  model.add(SphericalJoint{.bodies = {rod, bead},
                           .point_a = rotation_matrix(askew).transpose() *
                                      (model.body(bead).position - model.body(rod).position)});
  model.add(DistanceConstraint{
      .bodies = {bead, plate},
      .point_b = {{0.1, -0.2, 0.1}},
      .length = norm(model.body(plate).position +
                     rotation_matrix(model.body(plate).orientation) * Vec3{{0.1, -0.2, 0.1}} -
                     model.body(bead).position)});
  model.add(SpringDamper{.bodies = {ground, plate},
                         .point_b = {{0.2, 0.1, -0.1}},
                         .stiffness = 40.0,
                         .damping = 0.7,
                         .rest_length = 0.3});
  model.add(SpringDamper{.bodies = {rod, plate}, .stiffness = 25.0, .damping = 0.4, .rest_length = 0.5});
  model.add(TorsionSpring{.bodies = {ground, plate},
                          .axis_a = normal,
                          .axis_b = to_body_axes(model.body(plate).orientation, normal),
                          .stiffness = 3.0});
  return model;
}

TEST_CASE("the matrices of points and planar bodies have no row for what they cannot do") {
  Model chain;
  BodyId above = ground;
  for (int k = 0; k < 10; ++k) {
    const BodyId bead = chain.add(Body{.position = {{0.0, 0.0, -(k + 1.0)}}, .motion = BodyMotion::point});
    chain.add(DistanceConstraint{.bodies = {above, bead}, .length = 1.0});
    above = bead;
  }
  const MultibodySystem beads(chain), plane(four_bar(true)), space(four_bar(false));
  CHECK(beads.layout().v_size() == 30);
  CHECK(beads.layout().lambda_size() == 10);
  CHECK(plane.layout().v_size() == 9);
  CHECK(plane.layout().lambda_size() == 8);
  CHECK(space.layout().v_size() == 18);
  CHECK(space.layout().lambda_size() == 20);
  const BlockMatrix small(plane.layout().pattern, Border::transposed),
      large(space.layout().pattern, Border::transposed);
  CHECK(small.bytes() < large.bytes() / 3);
}

TEST_CASE("all derivatives of mixed bodies agree with differences") {
  const MultibodySystem system(mixed());
  CHECK(system.layout().v_size() == 12);
  CHECK(system.v_count(BodyId{0}) == 6);
  CHECK(system.v_offset(BodyId{2}) == 9);
  const DerivativeCheck check = check_derivatives(system, system.initial_state());
  CHECK(check.points == 3);
  for (const DerivativeFault& fault : check.faults) MESSAGE(fault.owner << " " << fault.quantity);
  CHECK(check.faults.empty());
}

TEST_CASE("retract, difference and the tangent operator of mixed bodies belong together") {
  const MultibodySystem system(mixed());
  const State s = system.initial_state();
  const auto n = static_cast<std::size_t>(system.layout().v_size());
  std::vector<double> delta(n), back(n), q(s.q.size());
  for (std::size_t k = 0; k < n; ++k) delta[k] = 0.3 * std::sin(1.0 + 2.3 * static_cast<double>(k));
  system.retract(s.q.data(), delta.data(), q.data());
  system.difference(s.q.data(), q.data(), back.data());
  for (std::size_t k = 0; k < n; ++k) CHECK(std::abs(back[k] - delta[k]) < 1e-14);
  // A planar body keeps its normal.
  State moved = s;
  moved.q = q;
  const RigidBodyState plate = system.body_state(moved, BodyId{2});
  const Vec3 normal{{0.36, -0.48, 0.8}},
      before = to_body_axes(system.body_state(s, BodyId{2}).orientation, normal);
  CHECK(norm(rotation_matrix(plate.orientation) * before - normal) < 1e-14);
  CHECK(std::abs(dot(plate.position - system.body_state(s, BodyId{2}).position, normal)) < 1e-15);
  // It commutes with itself, so that its increments change as velocities do.
  std::vector<double> changed(n);
  system.inverse_tangent(delta.data(), delta.data(), changed.data());
  for (std::size_t k = 0; k < n; ++k) CHECK(std::abs(changed[k] - delta[k]) < 1e-14);
}

TEST_CASE("a point on a rod swings with the period 4 K(sin(angle/2)) of the pendulum") {
  const double angle = 2.0;
  const double period = 4.0 * std::comp_ellint_1(std::sin(0.5 * angle));
  const MultibodySystem system(pendulum(angle));
  DormandPrince stepper(tight(1e-12));
  const State s = run_to(system, stepper, 0.01, period);
  const Vec3 x = system.body_state(s, BodyId{0}).position;
  // At its turning point it is off by the square of an error in the period: its speed shows that itself.
  CHECK(norm(x - Vec3{{std::sin(angle), 0.0, -std::cos(angle)}}) < 1e-10);
  CHECK(norm(system.body_state(s, BodyId{0}).velocity) < 1e-9);
  // The rod bears m g cos(angle) there: -lambda pulls the bob inwards.
  const JointReaction rod = reaction(system, s, ConstraintId{0});
  CHECK(std::abs(norm(rod.force) - std::abs(2.0 * std::cos(angle))) < 1e-8);
  CHECK(norm(rod.torque) < 1e-12);
}

TEST_CASE("a joint at the place of a point has no arm of roundoff") {
  Model model;
  const BodyId p = model.add(Body{
      .name = "p", .mass = 0.01, .position = {{0.3 + 0.15, 9 * 0.05, 0.0}}, .motion = BodyMotion::point});
  const SphericalJoint joint = joint_at<SphericalJoint>(model, ground, p, {.point = {{0.45, 0.45, 0.0}}});
  CHECK(model.body(p).position[0] != 0.45);
  CHECK(norm(joint.point_b) == 0.0);
  const SphericalJoint beside = joint_at<SphericalJoint>(model, ground, p, {.point = {{0.45, 0.45, 1e-12}}});
  CHECK(beside.point_b[2] == 1e-12);
  model.add(joint);
  CHECK(MultibodySystem(model).layout().scale[0] == 1.0);
}

TEST_CASE("a planar four-bar moves as the spatial one, and its hinges bear the same") {
  const MultibodySystem plane(four_bar(true)), space(four_bar(false));
  DormandPrince one(tight(1e-12)), other(tight(1e-12));
  const State p = run_to(plane, one, 1e-3, 0.5), s = run_to(space, other, 1e-3, 0.5);
  for (int b = 0; b < 3; ++b) {
    const RigidBodyState a = plane.body_state(p, BodyId{b}), c = space.body_state(s, BodyId{b});
    CHECK(norm(a.position - c.position) < 1e-10);
    CHECK(norm(a.velocity - c.velocity) < 1e-10);
    CHECK(norm(logarithm(conjugate(a.orientation) * c.orientation)) < 1e-10);
    CHECK(norm(a.angular_velocity - c.angular_velocity) < 1e-10);
    CHECK(norm(a.velocity) > 0.05);
  }
  for (int joint = 0; joint < 4; ++joint) {
    const Vec3 in_plane = reaction(plane, p, ConstraintId{joint}).force,
               in_space = reaction(space, s, ConstraintId{joint}).force;
    for (int k = 0; k < 2; ++k) CHECK(std::abs(in_plane[k] - in_space[k]) < 1e-7);
    CHECK(std::abs(in_space[0]) + std::abs(in_space[1]) > 1.0);
  }
  const Energy e = plane.energy(point_of(p)), of_space = space.energy(point_of(s));
  CHECK(std::abs(e.kinetic - of_space.kinetic) < 1e-9);
  CHECK(std::abs(e.potential - of_space.potential) < 1e-9);
}

TEST_CASE("every stepper of the catalog takes points and planar bodies, or says by name that it does not") {
  const Catalog catalog = builtin();
  int taken = 0;
  for (const StepperEntry& entry : catalog.steppers()) {
    CAPTURE(entry.name);
    for (const bool planar : {false, true}) {
      const MultibodySystem system(planar ? four_bar(true) : pendulum(1.0));
      const std::unique_ptr<Stepper> stepper = entry.setup()->make({}, {});
      if (const std::string refusal = stepper->refusal(system); !refusal.empty()) {
        const bool named = refusal.find(planar ? "body \"crank\" (planar)" : "body \"bob\" (a point)") !=
                               std::string::npos ||
                           refusal.find("constraints") != std::string::npos;
        CHECK_MESSAGE(named, refusal);
        continue;
      }
      ++taken;
      const double h = entry.name == "lie_dae" ? 1e-4 : 1e-3;
      const State s = run_to(system, *stepper, h, 0.2);
      DormandPrince reference(tight(1e-11));
      const State exact = run_to(system, reference, h, 0.2);
      CHECK(norm(system.body_state(s, BodyId{0}).position - system.body_state(exact, BodyId{0}).position) <
            1e-4);
      CHECK(std::abs(system.energy(point_of(s)).total() -
                     system.energy(point_of(system.initial_state())).total()) < 1e-2);
    }
  }
  CHECK(taken >= 8);
}

TEST_CASE("the momentum of mixed bodies without supports is kept") {
  Model model;
  const BodyId a = model.add(Body{.name = "a", .velocity = {{0.0, 0.4, 0.0}}, .motion = BodyMotion::point});
  const BodyId b = model.add(Body{.name = "b",
                                  .mass = 3.0,
                                  .inertia = diagonal(Vec3{{0.2, 0.3, 0.4}}),
                                  .position = {{1.0, 0.0, 0.0}},
                                  .angular_velocity = {{0.3, -0.2, 0.5}}});
  model.add(
      SpringDamper{.bodies = {a, b}, .point_b = {{0.1, 0.2, 0.0}}, .stiffness = 30.0, .rest_length = 0.4});
  const MultibodySystem system(model);
  const State begin = system.initial_state();
  DormandPrince stepper(tight(1e-11));
  const State end = run_to(system, stepper, 1e-2, 1.0);
  const Momentum before = momentum(model, system.bodies(begin)), after = momentum(model, system.bodies(end));
  CHECK(norm(before.linear - after.linear) < 1e-9);
  CHECK(norm(before.angular - after.angular) < 1e-9);
  CHECK(norm(system.body_state(end, a).position) > 0.05);
}

// What the constructor of the system, or Model::add, says.
std::string complaint(const Model& model) {
  try {
    const MultibodySystem system(model);
  } catch (const ModelError& error) {
    return error.what();
  }
  return {};
}
std::string complaint(const Body& body) {
  Model model;
  try {
    model.add(body);
  } catch (const ModelError& error) {
    return error.what();
  }
  return {};
}

TEST_CASE(
    "rows that hold what planar bodies cannot do anyway, and motions that they do not have, are refused") {
  Model model;
  const BodyId wheel = model.add(Body{.name = "wheel", .motion = BodyMotion::planar});
  model.add(RevoluteJoint{.bodies = {ground, wheel}, .name = "pin"});
  CHECK(complaint(model).find(
            "joint \"pin\" (revolute): 3 of its 5 rows hold what its points and planar bodies "
            "cannot do anyway") == 0);
  CHECK(complaint(four_bar(true)).empty());
  CHECK(complaint(mixed()).empty());

  CHECK(complaint(Body{.name = "p", .angular_velocity = {{0.0, 0.1, 0.0}}, .motion = BodyMotion::point}) ==
        "body \"p\": a point does not turn, but has an angular velocity");
  CHECK(complaint(Body{.name = "p", .velocity = {{0.0, 0.0, 2.0}}, .motion = BodyMotion::planar}) ==
        "body \"p\": it moves in a plane, but has 2 m/s along the normal");
  CHECK(complaint(Body{.name = "p", .angular_velocity = {{3.0, 0.0, 1.0}}, .motion = BodyMotion::planar}) ==
        "body \"p\": it turns about the normal of its plane, but has 3 rad/s about an axis across it");
  CHECK(complaint(Body{.name = "p", .motion = BodyMotion::planar, .normal = Vec3::Zero()}) ==
        "body \"p\": the normal of its plane has no direction: all components are zero");
  CHECK_THROWS_WITH_AS(QuaternionSystem(pendulum(1.0)),
                       "seven coordinates are those of rigid bodies, not of body \"bob\" (a point)",
                       ModelError);
}

}  // namespace motion_tests
