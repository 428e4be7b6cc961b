// What the model refuses, and the words in which it does.
#include <catena/assembly/multibody_system.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/marker.hpp>
#include <catena/model/model.hpp>
#include <catena/model/parts/point_force.hpp>
#include <catena/model/parts/spring_damper.hpp>
#include <catena/model/parts/torque.hpp>

#include "support/fixture_joints.hpp"
#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace refusals_tests {

using namespace catena;
using namespace catena::detail;

namespace {

const double not_a_number = std::numeric_limits<double>::quiet_NaN();

Model two_bodies() {
  Model model;
  model.add({.name = "upper arm"});
  model.add({.name = "lower arm", .position = {{1.0, 0.0, 0.0}}});
  return model;
}

struct NeverFinite {
  static constexpr int rows = 2;
  std::array<BodyId, 1> bodies;
  template <class S>
  Vec<S, 2> gap(const BodyFrame<S>& A, const S&) const {
    return {{A.x[0], log(A.x[1] - 1.0)}};
  }
};

}  // namespace

TEST_CASE("a body is refused by name: mass") {
  Model model;
  CHECK_THROWS_WITH_AS(model.add({.name = "link 12", .mass = -1.0}),
                       R"(body "link 12": mass must be positive, is -1)", ModelError);
  CHECK_THROWS_WITH_AS(model.add({.mass = 0.0}), R"(body "body 0": mass must be positive, is 0)", ModelError);
  CHECK_THROWS_WITH_AS(model.add({.mass = 1e-320}),
                       R"(body "body 0": mass must be at least 1e-150 kg, is 9.99989e-321)", ModelError);
  CHECK_THROWS_WITH_AS(model.add({.name = "a", .mass = not_a_number}),
                       R"(body "a": mass must be finite, has nan)", ModelError);
  CHECK_THROWS_WITH_AS(model.add({.name = "a", .mass = INFINITY}),
                       R"(body "a": mass must be finite, has inf)", ModelError);
  CHECK(model.body_count() == 0);
}

TEST_CASE("a body is refused by name: inertia") {
  Model model;
  CHECK_THROWS_WITH_AS(
      model.add({.name = "a", .inertia = diagonal(Vec3{{3.0, 1.0, 1.0}})}),
      R"(body "a": principal moments of inertia 1, 1, 3 violate the triangle inequality: no mass distribution has them)",
      ModelError);
  CHECK_THROWS_WITH_AS(
      model.add({.name = "a", .inertia = diagonal(Vec3{{1.0, 1.0, 0.0}})}),
      R"(body "a": principal moments of inertia must be positive, the smallest is 0; a bar has a small moment about its axis too, as the solid of its size gives it; a body that turns about one axis alone needs no other moment (motion: planar))",
      ModelError);
  CHECK_THROWS_WITH_AS(
      model.add({.name = "a", .inertia = Mat3::Zero()}),
      R"(body "a": principal moments of inertia must be positive, the smallest is 0; a mass without moments of inertia is a point (motion: point))",
      ModelError);
  CHECK_THROWS_WITH_AS(model.add({.name = "a", .inertia = diagonal(Vec3{{1.0, -1.0, 1.0}})}),
                       R"(body "a": principal moments of inertia must be positive, the smallest is -1)",
                       ModelError);
  CHECK_THROWS_WITH_AS(model.add({.name = "a", .inertia = {{1.0, 0.1, 0.0, 0.2, 1.0, 0.0, 0.0, 0.0, 1.0}}}),
                       R"(body "a": inertia must be symmetric, entries (0, 1) and (1, 0) are 0.1 and 0.2)",
                       ModelError);
  CHECK_THROWS_WITH_AS(model.add({.name = "a", .inertia = diagonal(Vec3{{1.0, not_a_number, 1.0}})}),
                       R"(body "a": inertia must be finite, has nan)", ModelError);
  // The limit itself is a plate, and roundoff of a turned plate is no reason to refuse it.
  const Mat3 axes = rotation_matrix(exponential(Vec3{{0.3, -1.2, 0.5}}));
  Body plate{.name = "plate"};
  plate.inertia = axes * diagonal(Vec3{{1.0, 2.0, 3.0}}) * axes.transpose();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < i; ++j) plate.inertia(i, j) = plate.inertia(j, i);
  CHECK_NOTHROW(model.add(plate));
}

TEST_CASE("a body is refused by name: state") {
  Model model;
  CHECK_THROWS_WITH_AS(model.add({.name = "a", .position = {{0.0, not_a_number, 0.0}}}),
                       R"(body "a": position must be finite, has nan)", ModelError);
  CHECK_THROWS_WITH_AS(model.add({.name = "a", .velocity = {{0.0, 0.0, -INFINITY}}}),
                       R"(body "a": velocity must be finite, has -inf)", ModelError);
  CHECK_THROWS_WITH_AS(model.add({.name = "a", .angular_velocity = {{not_a_number, 0.0, 0.0}}}),
                       R"(body "a": angular_velocity must be finite, has nan)", ModelError);
  CHECK_THROWS_WITH_AS(model.add({.name = "a", .orientation = {1.0, not_a_number, 0.0, 0.0}}),
                       R"(body "a": orientation must be finite, has nan)", ModelError);
  CHECK_THROWS_WITH_AS(model.add({.name = "a", .orientation = {1.0, 0.1, 0.0, 0.0}}),
                       R"(body "a": orientation must be a unit quaternion to 1e-6, has length 1.00499)",
                       ModelError);
  CHECK_THROWS_WITH_AS(model.add({.name = "a", .orientation = {0.0, 0.0, 0.0, 0.0}}),
                       R"(body "a": orientation must be a unit quaternion to 1e-6, has length 0)",
                       ModelError);
  // Within the tolerance it is normalised.
  const BodyId id =
      model.add({.name = "a", .orientation = {0.6 * (1.0 + 5e-7), 0.8 * (1.0 + 5e-7), 0.0, 0.0}});
  CHECK(std::abs(squared_norm(model.body(id).orientation) - 1.0) < 4e-16);
  CHECK(model.body(id).orientation.w == catena_test::relative(0.6, 1e-15));
}

TEST_CASE("a fixed body needs no sensible mass, but finite numbers") {
  Model model;
  CHECK_NOTHROW(model.add({.name = "wall", .mass = 0.0, .inertia = Mat3::Zero(), .fixed = true}));
  CHECK_THROWS_WITH_AS(model.add({.name = "b", .mass = not_a_number, .fixed = true}),
                       R"(body "b": mass must be finite, has nan)", ModelError);
}

TEST_CASE("a fixed body with a velocity is refused by name") {
  Model model;
  CHECK_THROWS_WITH_AS(model.add({.name = "wall", .velocity = {{0.0, 2.0, 0.0}}, .fixed = true}),
                       R"(body "wall": a fixed body does not move, but has the velocity [0, 2, 0])",
                       ModelError);
  const BodyId wheel = model.add({.name = "wheel", .angular_velocity = {{0.0, 0.0, 1e-300}}});
  model.body(wheel).fixed = true;
  CHECK_THROWS_WITH_AS(
      model.check(),
      R"(body "wheel": a fixed body does not move, but has the angular_velocity [0, 0, 1e-300])", ModelError);
}

TEST_CASE("what has no finite square, or no finite energy, is refused by name") {
  Model model;
  CHECK_THROWS_WITH_AS(model.add({.name = "b", .mass = 1e155}),
                       R"(body "b": mass must be below 1.34078e+154 to have a finite square, is 1e+155)",
                       ModelError);
  CHECK_THROWS_WITH_AS(
      model.add({.name = "b", .position = {{0.0, -1e200, 0.0}}}),
      R"(body "b": position must be below 1.34078e+154 to have a finite square, has -1e+200)", ModelError);
  CHECK_THROWS_WITH_AS(model.add({.name = "b", .mass = 1e10, .velocity = {{1e150, 0.0, 0.0}}}),
                       R"(body "b": its kinetic energy at the start is not finite)", ModelError);
  CHECK_THROWS_WITH_AS(
      model.add({.name = "b", .inertia = 1e10 * Mat3::Identity(), .angular_velocity = {{0.0, 1e150, 0.0}}}),
      R"(body "b": its kinetic energy at the start is not finite)", ModelError);
  const BodyId b = model.add({.name = "b", .mass = 1e150, .velocity = {{1e70, 0.0, 0.0}}});
  CHECK_THROWS_WITH_AS(
      model.add(PointForce{.bodies = {b}, .force = {{1e300, 0.0, 0.0}}, .name = "f"}),
      R"(force "f" (point_force): force must be below 1.34078e+154 to have a finite square, has 1e+300)",
      ModelError);
  model.gravity = {{0.0, 0.0, -1e200}};
  CHECK_THROWS_WITH_AS(model.check(), "gravity: it and its square must be finite [m/s^2]", ModelError);
}

TEST_CASE("names are unique, made up where missing, and hinted at") {
  Model model = two_bodies();
  CHECK_THROWS_WITH_AS(model.add({.name = "upper arm"}),
                       R"(body "upper arm": the name is already that of body number 0)", ModelError);
  CHECK(model.body(model.add({})).name == "body 2");
  CHECK(model.find_body("lower arm") == BodyId{1});
  CHECK_THROWS_WITH_AS(model.find_body("lower amr"),
                       R"(there is no body "lower amr"; did you mean "lower arm"?)", ModelError);
  CHECK_THROWS_WITH_AS(model.find_body("wheel"), R"(there is no body "wheel")", ModelError);

  model.add(SphericalJoint{.bodies = {ground, BodyId{0}}, .name = "hip"});
  CHECK_THROWS_WITH_AS(model.add(Torque{.bodies = {BodyId{0}}, .name = "hip"}),
                       R"(force "hip" (torque): the name is already that of another joint or force)",
                       ModelError);
  const ConstraintId unnamed = model.add(SphericalJoint{.bodies = {BodyId{0}, BodyId{1}}});
  CHECK(model.constraint_label(ConstraintId{0}) == R"(joint "hip" (spherical))");
  CHECK(model.constraint_label(unnamed) == R"(joint "spherical 1" (spherical))");
  const ForceId force = model.add(PointForce{.bodies = {BodyId{0}}, .name = "push"});
  CHECK(model.force_label(force) == R"(force "push" (point_force))");
  CHECK(model.find_joint("spherical 1") == unnamed);
  CHECK(model.find_force("push") == force);
  CHECK_THROWS_WITH_AS(model.find_force("pusch"), R"(there is no force "pusch"; did you mean "push"?)",
                       ModelError);
  CHECK_THROWS_WITH_AS(model.find_force("hip"), R"(there is no force "hip"; it is a joint)", ModelError);
  CHECK_THROWS_WITH_AS(model.find_joint("push"), R"(there is no joint "push"; it is a force)", ModelError);
}

TEST_CASE("a joint is refused by name: its bodies") {
  Model model = two_bodies();
  const BodyId wall = model.add({.name = "wall", .fixed = true});
  CHECK_THROWS_WITH_AS(
      model.add(SphericalJoint{.bodies = {BodyId{0}, BodyId{7}}, .name = "hip"}),
      R"(joint "hip" (spherical): body number 7 does not exist; the model has 3 bodies (numbers 0 to 2))",
      ModelError);
  CHECK_THROWS_WITH_AS(
      model.add(SphericalJoint{.bodies = {BodyId{0}, BodyId{-2}}, .name = "hip"}),
      R"(joint "hip" (spherical): body number -2 does not exist; the model has 3 bodies (numbers 0 to 2))",
      ModelError);
  CHECK_THROWS_WITH_AS(model.add(RevoluteJoint{.bodies = {BodyId{1}, BodyId{1}}, .name = "hinge"}),
                       R"(joint "hinge" (revolute): connects body "lower arm" to itself)", ModelError);
  CHECK_THROWS_WITH_AS(model.add(DistanceConstraint{.bodies = {ground, ground}}),
                       R"(joint "distance 0" (distance): connects the ground to itself)", ModelError);
  CHECK_THROWS_WITH_AS(model.add(SphericalJoint{.bodies = {ground, wall}, .name = "idle"}),
                       R"(joint "idle" (spherical): none of its bodies moves)", ModelError);
  CHECK_THROWS_WITH_AS(model.add(Torque{.bodies = {ground}, .name = "idle"}),
                       R"(force "idle" (torque): its body does not move)", ModelError);
  Model empty;
  CHECK_THROWS_WITH_AS(
      empty.add(SphericalJoint{.bodies = {ground, BodyId{0}}, .name = "hip"}),
      R"(joint "hip" (spherical): body number 0 does not exist; the model has no bodies yet)", ModelError);
  // What was refused has left no trace: the name is free, the lists are empty.
  CHECK(model.constraints().empty());
  CHECK(model.forces().empty());
  CHECK(model.pools().empty());
  CHECK_NOTHROW(model.add(SphericalJoint{.bodies = {ground, BodyId{0}}, .name = "hip"}));
}

TEST_CASE("a joint or force is refused by name: its parameters") {
  Model model = two_bodies();
  const std::array<BodyId, 2> two{BodyId{0}, BodyId{1}};
  CHECK_THROWS_WITH_AS(
      model.add(SphericalJoint{.bodies = two, .point_b = {{not_a_number, 0.0, 0.0}}, .name = "j"}),
      R"(joint "j" (spherical): point_b must be finite, has nan)", ModelError);
  CHECK_THROWS_WITH_AS(model.add(RevoluteJoint{.bodies = two, .axis_a = Vec3::Zero(), .name = "j"}),
                       R"(joint "j" (revolute): axis_a must have a direction, has length 0)", ModelError);
  CHECK_THROWS_WITH_AS(model.add(DistanceConstraint{.bodies = two, .length = -1.0, .name = "j"}),
                       R"(joint "j" (distance): length must be positive, is -1)", ModelError);
  CHECK_THROWS_WITH_AS(model.add(SpringDamper{.bodies = two, .rest_length = -0.5, .name = "s"}),
                       R"(force "s" (spring_damper): rest_length must not be negative, is -0.5)", ModelError);
  CHECK_THROWS_WITH_AS(model.add(SpringDamper{.bodies = two, .stiffness = INFINITY, .name = "s"}),
                       R"(force "s" (spring_damper): stiffness must be finite, is inf)", ModelError);
  CHECK_THROWS_WITH_AS(
      model.add(PointForce{.bodies = {BodyId{0}}, .force = {{0.0, not_a_number, 0.0}}, .name = "f"}),
      R"(force "f" (point_force): force must be finite, has nan)", ModelError);
  CHECK_THROWS_WITH_AS(
      model.add(Torque{.bodies = {BodyId{0}}, .torque = {{not_a_number, 0.0, 0.0}}, .name = "f"}),
      R"(force "f" (torque): torque must be finite, has nan)", ModelError);
  CHECK_THROWS_WITH_AS(model.add(NeverFinite{{BodyId{0}}}),
                       R"(joint "constraint 0" (constraint): row 1 is not finite in the initial state)",
                       ModelError);
  CHECK_THROWS_WITH_AS(model.add(fixture::Cluster{{BodyId{0}, BodyId{1}, ground}, not_a_number}),
                       R"(force "force 0" (force): the force is not finite in the initial state)",
                       ModelError);
}

TEST_CASE("initial positions that violate the joints: which, by how much, and what to do") {
  Model model = two_bodies();
  model.add(SphericalJoint{.bodies = {ground, BodyId{0}}, .name = "good"});
  CHECK_NOTHROW(model.check_initial_positions());
  model.add(SphericalJoint{.bodies = {BodyId{0}, BodyId{1}}, .point_a = {{0.25, 0.0, 0.0}}, .name = "bad"});
  CHECK_THROWS_WITH_AS(
      model.check_initial_positions(),
      "the initial positions violate 1 of 2 joints: joint \"bad\" (spherical) by 0.75 m; correct them, or "
      "call assemble to move the bodies onto their joints",
      ModelError);
  CHECK_NOTHROW(model.check_initial_positions(0.8));
  for (int k = 0; k < 4; ++k) model.add(DistanceConstraint{.bodies = {ground, BodyId{1}}, .length = 2.0 + k});
  CHECK_THROWS_WITH_AS(
      model.check_initial_positions(),
      "the initial positions violate 5 of 6 joints: joint \"distance 3\" (distance) by 4 m, joint "
      "\"distance 2\" (distance) by 3 m, joint \"distance 1\" (distance) by 2 m and 2 more; correct "
      "them, or call assemble to move the bodies onto their joints",
      ModelError);
}

TEST_CASE(
    "by how much a joint is open: the distance of its points, the angle of its axes, what a rod lacks") {
  const auto by = [](const auto& element, const Vec3& at, double lean = 0.0) {
    Model model;
    model.add({.name = "a", .position = at, .orientation = exponential(Vec3{{lean, 0.0, 0.0}})});
    model.add(element);
    const auto open = model.open_constraints();
    REQUIRE(open.size() == 1);
    return open[0].by;
  };
  const std::array<BodyId, 2> hung{ground, BodyId{0}};
  CHECK(by(SphericalJoint{.bodies = hung}, {{0.3, 0.0, -0.4}}) == "0.5 m");
  CHECK(by(RevoluteJoint{.bodies = hung}, {{0.3, 0.0, -0.4}}) == "0.5 m");
  CHECK(by(RevoluteJoint{.bodies = hung}, Vec3::Zero(), 0.002) == "0.002 rad");
  CHECK(by(RevoluteJoint{.bodies = hung}, {{0.3, 0.0, -0.4}}, 0.002) == "0.5 m and 0.002 rad");
  CHECK(by(RevoluteJoint{.bodies = hung}, Vec3::Zero(), std::acos(0.0)) == "1.5708 rad");
  CHECK(by(RevoluteJoint{.bodies = hung}, Vec3::Zero(), 3.0) ==
        "0.141593 rad");  // a hinge has lines for axes
  CHECK(by(DistanceConstraint{.bodies = hung, .length = 2.0}, {{0.3, 0.0, -0.4}}) == "1.5 m");  // too short
  CHECK(by(DistanceConstraint{.bodies = hung, .length = 0.1}, {{0.3, 0.0, -0.4}}) == "0.4 m");  // too long
  CHECK(by(DiscContact{.bodies = {BodyId{0}}, .axis = Vec3::Unit(0), .radius = 0.5}, {{0.0, 0.0, 0.7}}) ==
        "0.2 m");
  CHECK(by(fixture::PointOnRisingFloor{.bodies = {BodyId{0}}}, {{0.0, 0.0, 0.7}}) ==
        "0.7");  // of the user's own
}

TEST_CASE("open joints of a model a million metres long: roundoff is none, a gap beyond it is one") {
  // Two links end to end in a general direction; the joint is closed but for roundoff.
  const auto chain = [](double length, double gap, double axis_off) {
    const Quat turn = exponential(Vec3{{0.3, -0.7, 1.1}});
    const Mat3 R = rotation_matrix(turn);
    const Vec3 half{{0.5 * length, 0.0, 0.0}};
    Model model;
    const BodyId a = model.add({.name = "a", .position = R * half, .orientation = turn});
    const BodyId b = model.add({.name = "b",
                                .position = R * Vec3{{1.5 * length, 0.0, gap}},
                                .orientation = turn * exponential(Vec3{{axis_off, 0.0, 0.0}})});
    model.add(
        RevoluteJoint{.bodies = {a, b}, .point_a = half, .point_b = Vec3(-1.0 * half), .name = "hinge"});
    return model;
  };
  for (const double length : {1e5, 1e6, 1e7, 1e9}) {
    CAPTURE(length);
    CHECK_NOTHROW(chain(length, 0.0, 0.0).check_initial_positions());
    // 4 eps times the three positions and eight times the arms, some 8 lengths: 1e-14 of the length is far beyond
    CHECK_THROWS_AS(chain(length, 2e-14 * length, 0.0).check_initial_positions(), ModelError);
  }
  // What is not rounded at that size stays as strict as it is: the rows of the axes, and every row of a small model.
  CHECK_THROWS_AS(chain(1e9, 0.0, 2e-9).check_initial_positions(), ModelError);
  CHECK_THROWS_AS(chain(1.0, 2e-9, 0.0).check_initial_positions(), ModelError);
  CHECK_NOTHROW(chain(1.0, 0.9e-9, 0.0).check_initial_positions());
  // Roundoff has passed 1e-9 there, or the test would say nothing.
  bool beyond = false;
  for (const double length : {1e7, 1e9})
    for (const double off : {0.0, 1e-15 * length}) {
      const Model m = chain(length, off, 0.0);
      beyond = beyond || (m.open_constraints().empty() && off > 1e-9);
    }
  CHECK(beyond);
}

TEST_CASE("a gap is measured by the size of the bodies at the joint, and by the digits of their places") {
  // An arm of this length that hangs on the ground by one end, open by a part of its length.
  const auto arm = [](double length, double place, double part) {
    Model model;
    const Mat3 inertia = (length * length / 12.0) * Mat3::Identity();
    const Vec3 origin{{place, 0.0, 0.0}}, half{{0.5 * length, 0.0, 0.0}};
    const BodyId b = model.add(
        {.name = "arm", .inertia = inertia, .position = origin + half + Vec3{{0.0, part * length, 0.0}}});
    model.add(SphericalJoint{.bodies = {ground, b}, .point_a = origin, .point_b = -1.0 * half});
    return model;
  };
  for (const double length : {1.9e-9, 1e-3, 0.5}) {
    CAPTURE(length);
    // gyration 0.35 of the length, half of it the arm: rows have 0.6 of it at most
    CHECK_NOTHROW(arm(length, 0.0, 3e-10).check_initial_positions());
    CHECK_THROWS_AS(arm(length, 0.0, 1e-9).check_initial_positions(), ModelError);
  }
  CHECK_THROWS_AS(arm(1.9e-9, 0.0, 0.9 / 1.9).check_initial_positions(), ModelError);
  // A thousandth of a metre at 4.2e7 m, where numbers are 7.5e-9 m apart.
  CHECK_NOTHROW(arm(1e-3, 4.2e7, 0.0).check_initial_positions());
  CHECK_THROWS_AS(arm(1e-3, 4.2e7, 1e-3).check_initial_positions(), ModelError);
}

TEST_CASE("velocity constraints do not take part in the check of positions") {
  Model model = two_bodies();
  model.add(fixture::KnifeEdge{.bodies = {BodyId{1}}, .name = "skate"});
  CHECK_NOTHROW(model.check_initial_positions());
}

TEST_CASE("bodies changed after they were added are checked again") {
  Model model = two_bodies();
  model.body(BodyId{1}).mass = -2.0;
  CHECK_THROWS_WITH_AS(model.check(), R"(body "lower arm": mass must be positive, is -2)", ModelError);
}

TEST_CASE("joints and forces that a change of their bodies leaves without movement are refused by name") {
  const auto model_with = [](const auto& element) {
    Model model = two_bodies();
    model.add(element);
    model.check();
    model.body(BodyId{0}).fixed = true;
    return model;
  };
  Model hip = model_with(SphericalJoint{.bodies = {ground, BodyId{0}}, .name = "hip"});
  CHECK_THROWS_WITH_AS(hip.check(), R"(joint "hip" (spherical): none of its bodies moves)", ModelError);
  hip.body(BodyId{0}).fixed = false;
  CHECK_NOTHROW(hip.check());
  Model spring = model_with(SpringDamper{.bodies = {ground, BodyId{0}}, .name = "strut"});
  CHECK_THROWS_WITH_AS(spring.check(), R"(force "strut" (spring_damper): none of its bodies moves)",
                       ModelError);
  Model wind = model_with(PointForce{.bodies = {BodyId{0}}, .name = "wind"});
  CHECK_THROWS_WITH_AS(wind.check(), R"(force "wind" (point_force): its body does not move)", ModelError);
  Model elbow = model_with(SphericalJoint{.bodies = {BodyId{0}, BodyId{1}}, .name = "elbow"});
  CHECK_NOTHROW(elbow.check());  // one of them still moves
}

// Neither a type_name nor a name.
struct Height {
  static constexpr int rows = 1;
  std::array<BodyId, 1> bodies;
  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& A, const S&) const {
    return {{A.x[2]}};
  }
};
struct OtherHeight : Height {};

TEST_CASE("automatic names count on to the next free number") {
  Model model = two_bodies();
  const BodyId a{0}, b{1};
  const ConstraintId first = model.add(Height{{a}}), second = model.add(OtherHeight{{{a}}}),
                     third = model.add(Height{{b}}), fourth = model.add(OtherHeight{{{b}}});
  CHECK(model.constraint_label(first) == R"(joint "constraint 0" (constraint))");
  CHECK(model.constraint_label(second) == R"(joint "constraint 1" (constraint))");
  CHECK(model.constraint_label(third) == R"(joint "constraint 2" (constraint))");
  CHECK(model.constraint_label(fourth) == R"(joint "constraint 3" (constraint))");

  model.add(SphericalJoint{.bodies = {ground, a}, .name = "spherical 1"});
  const ConstraintId unnamed = model.add(SphericalJoint{.bodies = {a, b}});
  CHECK(model.constraint_label(unnamed) == R"(joint "spherical 2" (spherical))");
  const ConstraintId next = model.add(SphericalJoint{.bodies = {ground, b}});
  CHECK(model.constraint_label(next) == R"(joint "spherical 3" (spherical))");
  // A name that an automatic one has taken is still refused.
  CHECK_THROWS_WITH_AS(
      model.add(DistanceConstraint{.bodies = {a, b}, .name = "constraint 3"}),
      R"(joint "constraint 3" (distance): the name is already that of another joint or force)", ModelError);
  const Model copy = model;
  CHECK(copy.constraint_label(fourth) == R"(joint "constraint 3" (constraint))");
}

TEST_CASE("a copy of a model is independent of the original") {
  Model model = two_bodies();
  model.add(SphericalJoint{.bodies = {ground, BodyId{0}}, .name = "hip"});
  Model copy = model;
  copy.add(SphericalJoint{.bodies = {BodyId{0}, BodyId{1}}, .name = "knee"});
  CHECK(model.pools()[0]->size() == 1);
  CHECK(copy.pools()[0]->size() == 2);
  CHECK_NOTHROW(model.add(SphericalJoint{.bodies = {BodyId{0}, BodyId{1}}, .name = "knee"}));
  Model assigned;
  assigned = copy;
  CHECK(assigned.constraint_label(ConstraintId{1}) == R"(joint "knee" (spherical))");
}

TEST_CASE("elements of one type share a pool, in the order in which they were added") {
  Model model = two_bodies();
  const std::array<BodyId, 2> two{BodyId{0}, BodyId{1}};
  model.add(SphericalJoint{.bodies = two, .name = "a"});
  model.add(DistanceConstraint{.bodies = two, .name = "b"});
  model.add(SphericalJoint{.bodies = two, .name = "c"});
  model.add(SpringDamper{.bodies = two, .name = "d"});
  REQUIRE(model.constraints().size() == 3);
  CHECK(model.constraints()[2].pool == 0);
  CHECK(model.constraints()[2].element == 1);
  CHECK(model.constraints()[1].pool == 1);
  CHECK(model.forces()[0].pool == 2);
  const ElementPool& pool = *model.pools()[1];
  CHECK(std::string(pool.type_name()) == "distance");
  CHECK(pool.rows() == 1);
  CHECK(pool.bodies() == 2);
  CHECK(pool.body(0, 1) == BodyId{1});
  CHECK(pool.couples());
  CHECK_FALSE(model.pools()[0]->couples());
  REQUIRE(pool.plan().stages.size() == 1);
  CHECK(pool.plan().stages[0].function >= 0);
  CHECK(pool.plan().parameters == 7);
}

TEST_CASE("what was changed after it was added is checked again") {
  Model model = two_bodies();
  SUBCASE("gravity must be finite") {
    model.gravity = Vec3{{0.0, 0.0, std::numeric_limits<double>::quiet_NaN()}};
    CHECK_THROWS_WITH_AS(model.check(), "gravity: it must be finite [m/s^2]", ModelError);
    CHECK_THROWS_AS(MultibodySystem{model}, ModelError);
  }
  SUBCASE("two bodies of one name") {
    model.body(BodyId{1}).name = model.body(BodyId{0}).name;
    CHECK_THROWS_AS(model.check(), ModelError);
  }
  SUBCASE("a body is found by its new name only") {
    const std::string old = model.body(BodyId{0}).name;
    model.body(BodyId{0}).name = "renamed";
    model.check();
    CHECK(model.find_body("renamed") == BodyId{0});
    CHECK_THROWS_AS(model.find_body(old), ModelError);
  }
}

namespace {

struct Renamed {
  static constexpr int rows = 1;
  std::array<BodyId, 1> bodies;
  bool other_body = false;
  std::string name = {};
  void placed(const BodyFrame<double>*) {
    if (other_body)
      bodies[0] = BodyId{1};
    else
      name = "another";
  }
  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& A, const S&) const {
    return {{A.x[0]}};
  }
};

struct LostAtFirst {
  static constexpr int rows = 1, discrete = 2;
  std::array<BodyId, 1> bodies;
  std::string name = {};
  std::array<double, 2> initial_discrete() const { return {0.0, not_a_number}; }
  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& A, const S&, const double*) const {
    return {{A.x[0]}};
  }
};

}  // namespace

TEST_CASE("a joint or force whose own functions make no sense of it is refused by name") {
  Model model = two_bodies();
  CHECK_THROWS_WITH_AS(model.add(Renamed{.bodies = {BodyId{0}}, .name = "hook"}),
                       R"(joint "hook" (constraint): its placed() changes its name, which is in use by then)",
                       ModelError);
  CHECK_THROWS_WITH_AS(
      model.add(Renamed{.bodies = {BodyId{0}}, .other_body = true, .name = "hook"}),
      R"(joint "hook" (constraint): its placed() changes its bodies, which are chosen by then)", ModelError);
  CHECK_THROWS_WITH_AS(model.add(LostAtFirst{.bodies = {BodyId{0}}, .name = "hook"}),
                       R"(joint "hook" (constraint): its initial_discrete() holds a number that is none)",
                       ModelError);
  CHECK(model.constraints().empty());
}

TEST_CASE("bodies that the model does not have are refused wherever a number is asked for") {
  const Model model = two_bodies();
  const std::string none = "body number 7 does not exist; the model has 2 bodies (numbers 0 to 1)";
  CHECK_THROWS_WITH_AS(model.body(BodyId{7}), none.c_str(), ModelError);
  CHECK_THROWS_WITH_AS(model.body(ground), "the ground is no body of the model: it has no members",
                       ModelError);
  CHECK_THROWS_WITH_AS(frame_at(model, BodyId{7}, {}), none.c_str(), ModelError);
  const MultibodySystem system(model);
  CHECK_THROWS_WITH_AS(system.q_offset(BodyId{7}), none.c_str(), ModelError);
  CHECK_THROWS_WITH_AS(system.v_offset(BodyId{7}), none.c_str(), ModelError);
  CHECK_THROWS_WITH_AS(system.v_count(BodyId{7}), none.c_str(), ModelError);
  CHECK(system.q_offset(ground) == -1);
  CHECK_THROWS_AS(model.check_initial_positions(not_a_number), std::invalid_argument);
}

}  // namespace refusals_tests
