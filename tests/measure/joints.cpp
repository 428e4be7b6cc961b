// Angle and displacement of joints: of known poses, as derivatives of each other, and as quantities of a system.
#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/builtin/builtin.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/measure/joint_values.hpp>
#include <catena/measure/measurements.hpp>
#include <catena/measure/parts/builtin_quantities.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/parts/joint_force.hpp>

#include "support/allocation_count.hpp"
#include "support/mechanisms.hpp"
#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

using namespace catena;
using namespace catena::detail;

namespace {

RigidBodyState pose(test::Random& random) {
  RigidBodyState body;
  body.position = random.vector(1.0);
  body.orientation = random.rotation();
  body.velocity = random.vector(2.0);
  body.angular_velocity = random.vector(3.0);
  return body;
}

// After dt with the same velocity in the world and the same angular velocity in the body.
RigidBodyState moved(RigidBodyState body, double dt) {
  body.position += dt * body.velocity;
  body.orientation = body.orientation * exponential(dt * body.angular_velocity);
  return body;
}

CylindricalJoint joint_of(test::Random& random, BodyId a, BodyId b) {
  return {.bodies = {a, b},
          .point_a = random.vector(1.0),
          .point_b = random.vector(1.0),
          .axis_a = random.vector(1.0),
          .axis_b = random.vector(1.0),
          .name = "leg"};
}

// A post at rest, a crank on it, a rod on the crank, a slider on the rod and a rope to the ground.
Model crank_slider() {
  Model model;
  const BodyId post = model.add(Body{.name = "post", .position = {{1.0, 2.0, 3.0}}, .fixed = true});
  const BodyId crank = model.add(Body{.name = "crank", .position = {{1.5, 2.0, 3.0}}});
  const BodyId rod = model.add(Body{.name = "rod", .position = {{2.5, 2.0, 3.0}}});
  model.add(RevoluteJoint{.bodies = {post, crank}, .point_b = {{-0.5, 0.0, 0.0}}, .name = "hip"});
  model.add(
      DistanceConstraint{.bodies = {ground, rod}, .length = std::sqrt(2.5 * 2.5 + 13.0), .name = "rope"});
  model.add(PrismaticJoint{.bodies = {crank, rod},
                           .point_a = {{0.5, 0.0, 0.0}},
                           .point_b = {{-0.25, 0.0, 0.0}},
                           .axis_a = Vec3::Unit(0),
                           .axis_b = Vec3::Unit(0),
                           .name = "slide"});
  return model;
}

State in_motion(const System& system) {
  State state = system.initial_state();
  for (std::size_t k = 0; k < state.v.size(); ++k) state.v[k] = 0.1 * static_cast<double>(k) - 0.4;
  return state;
}

std::vector<double> numbers(Measurements& m, const State& state, const char* name) {
  std::vector<double> row(static_cast<std::size_t>(m.width()));
  m(state, {}, row.data());
  const MeasuredColumns* c = m.find(name);
  REQUIRE(c != nullptr);
  std::vector<double> found;
  for (int k = 0; k < c->count; ++k) found.push_back(row[static_cast<std::size_t>(c->column(k))]);
  return found;
}

}  // namespace

TEST_CASE("a joint that was turned and slid has that angle and that displacement") {
  test::Random random(1);
  for (const double angle : {-3.0, -1e-9, 0.0, 0.5, 3.1}) {
    Model model;
    const BodyId a = model.add(Body{}), b = model.add(Body{});
    const ConstraintId id = model.add(joint_of(random, a, b));
    MarkedJoint joint = *marked_joint(model, id);
    const RigidBodyState first = pose(random);
    const Mat3 R = rotation_matrix(first.orientation);
    const Vec3 axis{{joint.triad_a(0, 2), joint.triad_a(1, 2), joint.triad_a(2, 2)}};  // of length 1
    // The second body is oriented as the first, turned about the axis and then by any rotation, which its triad takes back;
    // its point lies 0.7 m along the axis.
    const Quat any = random.rotation();
    joint.triad_b = transpose_times(rotation_matrix(any), joint.triad_a);
    RigidBodyState second;
    second.orientation = first.orientation * exponential(angle * axis) * any;
    second.position = first.position + R * joint.point_a + 0.7 * (R * axis) -
                      rotation_matrix(second.orientation) * joint.point_b;
    const JointCoordinates c = coordinates(joint, first, second);
    // Some ten products of numbers of size 1 to 3.
    CHECK(std::abs(c.angle - angle) <= 1e-14);
    CHECK(std::abs(c.displacement - 0.7) <= 1e-14);
  }
}

TEST_CASE("rates are the time derivatives of angle and displacement, whatever the joint lets through") {
  test::Random random(2);
  for (int k = 0; k < 20; ++k) {
    Model model;
    const BodyId a = model.add(Body{}), b = model.add(Body{});
    const MarkedJoint joint = *marked_joint(model, model.add(joint_of(random, a, b)));
    const RigidBodyState first = pose(random), second = pose(random);
    const auto at = [&](double dt) { return coordinates(joint, moved(first, dt), moved(second, dt)); };
    const JointCoordinates now = at(0.0);
    // Richardson's formula: h^4 f'''''/30 + eps/h, with f''''' below 1e6 at these speeds except near the pole.
    const double h = 1e-4;
    const auto derivative = [&](double JointCoordinates::*c) {
      return (8.0 * (at(h).*c - at(-h).*c) - (at(2 * h).*c - at(-2 * h).*c)) / (12.0 * h);
    };
    const double scale = std::max(1.0, std::abs(now.angle_rate));
    CHECK(std::abs(now.angle_rate - derivative(&JointCoordinates::angle)) <= 1e-9 * std::pow(scale, 5.0));
    CHECK(std::abs(now.displacement_rate - derivative(&JointCoordinates::displacement)) <= 1e-9);
  }
}

TEST_CASE("joints with markers have coordinates as quantities, those without are none of their items") {
  const MultibodySystem six(crank_slider());
  const QuaternionSystem seven(crank_slider());
  for (const BodySystem* system :
       {static_cast<const BodySystem*>(&six), static_cast<const BodySystem*>(&seven)}) {
    const State state = in_motion(*system);
    Measurements m(*system, select(builtin_quantities(), "joints"));
    REQUIRE(m.find("joints/angle")->count == 2);
    CHECK(m.item_name(*m.find("joints/angle"), 1) == system->constraint_name(2));
    for (int k = 0; k < 2; ++k) {
      const JointCoordinates c = coordinate(*system, state, ConstraintId{2 * k});
      const std::size_t i = static_cast<std::size_t>(k);
      CHECK(numbers(m, state, "joints/angle")[i] == c.angle);
      CHECK(numbers(m, state, "joints/angle_rate")[i] == c.angle_rate);
      CHECK(numbers(m, state, "joints/displacement")[i] == c.displacement);
      CHECK(numbers(m, state, "joints/displacement_rate")[i] == c.displacement_rate);
    }
    CHECK(std::abs(numbers(m, state, "joints/displacement")[1] - 0.25) <= 1e-15);
    CHECK_THROWS_AS(coordinate(*system, state, ConstraintId{1}), std::invalid_argument);

    Measurements slide(*system, select(builtin_quantities(), "joints:slide"));
    CHECK(slide.width() == 1 + 4);
    CHECK(numbers(slide, state, "joints/displacement_rate")[0] ==
          numbers(m, state, "joints/displacement_rate")[1]);
    // The row that holds the state gives the same bits.
    Measurements whole(*system, select(builtin_quantities(), "standard,joints"));
    for (const char* name :
         {"joints/angle", "joints/angle_rate", "joints/displacement", "joints/displacement_rate"})
      CHECK(numbers(whole, state, name) == numbers(m, state, name));

    std::vector<double> row(static_cast<std::size_t>(m.width()));
    m(state, {}, row.data());
    const long taken = test::count_allocations([&] { m(state, {}, row.data()); });
    if (test::allocation_counting_works()) CHECK(taken == 0);
  }
  Model rope;
  const BodyId stone = rope.add(Body{.position = {{1.0, 0.0, 0.0}}});
  rope.add(DistanceConstraint{.bodies = {ground, stone}});
  const MultibodySystem system(rope);
  CHECK_THROWS_WITH(Measurements(system, select(builtin_quantities(), "joints")),
                    "\"joints\" cannot be recorded: no joint of this system has markers, and so an angle or "
                    "a displacement");
}

TEST_CASE("a run counts the angle of a joint over full turns, at every instant") {
  Model model;
  const BodyId wheel = model.add(Body{.name = "wheel", .angular_velocity = {{0.0, 0.0, 20.0}}});
  model.add(RevoluteJoint{.bodies = {ground, wheel}, .name = "axle"});
  const auto whole = std::make_shared<const Model>(std::move(model));
  const Catalog catalog = builtin();
  const auto angles = [&](double step, int every) {
    const Record record =
        run({.model = whole, .step = step, .end = 2.0, .every = every, .record = "joints/angle"}, catalog);
    REQUIRE(record.ok());
    return record.table.column("joints/angle of joint \"axle\" (revolute)");
  };
  for (const int every : {1, 7, 50}) {  // of 0.4 rad a step, up to 20 rad between instants
    const std::vector<double> seen = angles(0.02, every);
    for (std::size_t k = 0; k < seen.size(); ++k) {
      const double t = std::min(2.0, 0.02 * every * static_cast<double>(k));
      CHECK(seen[k] == catena_test::relative(20.0 * t, 1e-9));
    }
  }
}

TEST_CASE("the angle of a point on a line is about the line, whatever the axes of the second body") {
  for (const BodyMotion motion : {BodyMotion::planar, BodyMotion::rigid})
    for (const Quat& turned : {Quat::Identity(), exponential(Vec3{{0.0, 0.4, 0.0}})}) {
      Model model;
      model.gravity = {{0.0, 0.0, -9.81}};
      const BodyId rod = model.add(Body{.name = "rod",
                                        .inertia = 0.15 * Mat3::Identity(),
                                        .position = {{0.6, 0.0, 0.0}},
                                        .orientation = turned,
                                        .motion = motion,
                                        .normal = Vec3::Unit(1)});
      const ConstraintId pin = model.add(
          PointOnLineJoint{.bodies = {ground, rod},
                           .point_b = transpose_times(rotation_matrix(turned), Vec3{{-0.6, 0.0, 0.0}}),
                           .axis_a = Vec3::Unit(1),
                           .name = "pin"});
      // Free, so that a force may follow it.
      CHECK_NOTHROW(model.add(JointForce{.joint = pin, .stiffness = 1.0}));
      const MultibodySystem system(model);
      State state = system.initial_state();
      const double start = turned.y == 0.0 ? 0.0 : 0.4;
      CHECK(std::abs(coordinate(system, state, pin).angle - start) < 1e-14);
      const Quat later = turned * exponential(Vec3{{0.0, 0.7, 0.0}});
      std::copy_n(std::array{later.w, later.x, later.y, later.z}.begin(), 4, state.q.begin() + 3);
      state.v.back() = motion == BodyMotion::planar ? 1.3 : 0.0;
      if (motion == BodyMotion::rigid) state.v[4] = 1.3;
      CHECK(std::abs(coordinate(system, state, pin).angle - start - 0.7) < 1e-14);
      CHECK(std::abs(coordinate(system, state, pin).angle_rate - 1.3) < 1e-14);
    }
}
