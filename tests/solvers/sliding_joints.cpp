// Rows that hold a difference which stays open: along a rail, and of the coordinates of a coupling. Their roundoff follows the
// way that has been gone, however small the bodies are.
#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>
#include <catena/solvers/alpha_rattle.hpp>
#include <catena/solvers/discrete_action.hpp>
#include <catena/solvers/dop853.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/solvers/hht.hpp>
#include <catena/solvers/lie_bdf.hpp>
#include <catena/solvers/lie_dae.hpp>
#include <catena/solvers/newmark.hpp>
#include <catena/solvers/radau.hpp>
#include <catena/solvers/rattle.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

namespace sliding_joints_tests {

using namespace catena;

namespace {

std::vector<std::unique_ptr<Stepper>> steppers() {
  std::vector<std::unique_ptr<Stepper>> all;
  all.push_back(std::make_unique<GeneralizedAlpha>());
  all.push_back(std::make_unique<Hht>());
  all.push_back(std::make_unique<Newmark>());
  all.push_back(std::make_unique<AlphaRattle>());
  all.push_back(std::make_unique<LieDae>());
  all.push_back(std::make_unique<Radau>());
  all.push_back(std::make_unique<LieBdf>());
  all.push_back(std::make_unique<Rattle>());
  all.push_back(std::make_unique<DormandPrince>());
  all.push_back(std::make_unique<Dop853>());
  return all;
}

constexpr double g = 9.81, h = 1e-3, end = 0.05;
// Down by 25 degrees, to all the digits that numbers have: rows that are made of it cancel to roundoff.
const double fall = 25.0 * std::numbers::pi / 180.0;
const Vec3 down{{std::cos(fall), 0.0, -std::sin(fall)}};

// A sled of 0.1 m on a straight rail that begins in the origin, `way` along it and as fast.
Model sled(double way, double speed) {
  Model model;
  model.gravity = {{0.0, 0.0, -g}};
  const BodyId body = model.add(
      {.name = "sled", .inertia = 0.01 * Mat3::Identity(), .position = way * down, .velocity = speed * down});
  model.add(PrismaticJoint{.bodies = {ground, body}, .axis_a = down, .axis_b = down, .name = "rail"});
  return model;
}

// Runs steps of h to the end without one that is cut; the state there.
template <class SystemType>
State run_to_end(const SystemType& system, Stepper& stepper, double until = end) {
  CAPTURE(stepper.traits().name);
  State state = system.initial_state();
  const RunResult result = run(system, stepper, state, {.step = h, .end = until});
  CAPTURE(result.t_end);
  CAPTURE(result.culprit.name);
  CAPTURE(result.culprit.quantity);
  CHECK(result.status == Status::ok);
  CHECK(result.rejected == 0);
  return state;
}

double largest_row(const System& system, const State& state) {
  std::vector<double> rows(static_cast<std::size_t>(system.layout().lambda_size()));
  Evaluation wanted;
  wanted.position = rows.data();
  system.evaluate(point_of(state), wanted);
  double largest = 0.0;
  for (const double row : rows) largest = std::max(largest, std::abs(row));
  return largest;
}

constexpr double eps = 0x1p-52;

}  // namespace

TEST_CASE("a sled slides two kilometres away on its rail as at home, under every stepper") {
  for (const double way : {200.0, 2000.0}) {
    CAPTURE(way);
    const double speed = 60.0;
    const MultibodySystem system(sled(way, speed));
    const double s = way + speed * end + 0.5 * g * std::sin(fall) * end * end;
    for (const auto& stepper : steppers()) {
      CAPTURE(stepper->traits().name);
      const State state = run_to_end(system, *stepper);
      // Newmark's method is of order 1: its velocity is off by h a / 10.
      const double allowed = stepper->traits().order_q == 1 ? 0.1 * h * g * end : 1e-9;
      CHECK(std::abs(dot(system.bodies(state)[0].position, down) - s) <= allowed);
      CHECK(largest_row(system, state) <= 16.0 * eps * s);
    }
  }
}

TEST_CASE("a sled far along its rail moves in seven coordinates too") {
  const QuaternionSystem system(sled(200.0, 60.0));
  DiscreteAction stepper;
  const State state = run_to_end(system, stepper);
  CHECK(std::abs(dot(system.bodies(state)[0].position, down) -
                 (200.0 + 60.0 * end + 0.5 * g * std::sin(fall) * end * end)) <= 1e-9);
}

TEST_CASE("a carriage far along its rail, at the end of a spring that is slack there, does not move") {
  Model model;
  const BodyId car = model.add({.name = "car", .inertia = 1e-3 * Mat3::Identity(), .position = 50.0 * down});
  const ConstraintId rail =
      model.add(PrismaticJoint{.bodies = {ground, car}, .axis_a = down, .axis_b = down, .name = "rail"});
  model.add(JointForce{
      .joint = rail, .coordinate = JointCoordinate::displacement, .stiffness = 100.0, .free = 50.0});
  model.gravity = Vec3::Zero();
  const MultibodySystem system(std::move(model));
  for (const auto& stepper : steppers()) {
    CAPTURE(stepper->traits().name);
    const State state = run_to_end(system, *stepper, 0.2);
    CHECK(norm(system.bodies(state)[0].position - 50.0 * down) <= 1e-12);
  }
}

TEST_CASE("a nut far down its screw turns as at home, under every stepper") {
  const double pitch = 0.5, lead = pitch / (2.0 * std::numbers::pi), mass = 2.0, moment = 0.03;
  Model model;
  model.gravity = {{0.0, 0.0, -g}};
  const double speed = 5.0;
  const BodyId nut = model.add({.name = "nut",
                                .mass = mass,
                                .inertia = diagonal(Vec3{{0.1, 0.1, moment}}),
                                .position = {{0.0, 0.0, -80.0}},
                                .velocity = {{0.0, 0.0, -speed}},
                                .angular_velocity = {{0.0, 0.0, -speed / lead}}});
  model.add(CylindricalJoint{.bodies = {ground, nut}, .name = "stem"});
  model.add(Screw{.bodies = {ground, nut}, .pitch = pitch, .name = "thread"});
  const MultibodySystem system(std::move(model));
  const double a = -mass * g / (mass + moment / (lead * lead));
  for (const auto& stepper : steppers()) {
    CAPTURE(stepper->traits().name);
    const State state = run_to_end(system, *stepper);
    const double allowed = stepper->traits().order_q == 1 ? 0.1 * h * g * end : 1e-9;
    CHECK(std::abs(system.bodies(state)[0].position[2] - (-80.0 - speed * end + 0.5 * a * end * end)) <=
          allowed);
    CHECK(largest_row(system, state) <= 16.0 * eps * 100.0);
  }
}

TEST_CASE("a rack far from its pinion moves as at home") {
  const double radius = 0.1, moment = 0.01, mass = 2.0, torque = 1.0;
  Model model;
  model.gravity = Vec3::Zero();
  const BodyId pinion = model.add({.name = "pinion", .inertia = moment * Mat3::Identity()});
  const BodyId rack = model.add(
      {.name = "rack", .mass = mass, .inertia = 0.01 * Mat3::Identity(), .position = {{300.0, -0.1, 0.0}}});
  model.add(RevoluteJoint{.bodies = {ground, pinion}, .name = "axle"});
  model.add(PrismaticJoint{.bodies = {ground, rack},
                           .point_a = {{0.0, -0.1, 0.0}},
                           .axis_a = Vec3::Unit(0),
                           .axis_b = Vec3::Unit(0),
                           .name = "guide"});
  model.add(RackAndPinion{.bodies = {ground, pinion, rack}, .radius = radius, .name = "teeth"});
  model.add(Torque{.bodies = {pinion}, .torque = {{0.0, 0.0, torque}}});
  const MultibodySystem system(std::move(model));
  const double s = 300.0 + 0.5 * radius * torque / (moment + mass * radius * radius) * end * end;
  for (const auto& stepper : steppers()) {
    if (!stepper->refusal(system).empty()) continue;  // rattle takes forces with a potential
    CAPTURE(stepper->traits().name);
    const State state = run_to_end(system, *stepper);
    const double allowed = stepper->traits().order_q == 1 ? h * g * end : 1e-9;
    CHECK(std::abs(system.bodies(state)[1].position[0] - s) <= allowed);
  }
}

TEST_CASE("a rail that is open by more than the roundoff of the way is refused at the start") {
  const Vec3 up{{-down[2], 0.0, down[0]}};
  Model model = sled(200.0, 0.0);
  Body body = model.body(BodyId{0});
  body.position += 2.0 * start_position_tolerance * up;
  Model open;
  open.gravity = model.gravity;
  const BodyId moved = open.add(body);
  open.add(PrismaticJoint{.bodies = {ground, moved}, .axis_a = down, .axis_b = down, .name = "rail"});
  const MultibodySystem system(std::move(open));
  GeneralizedAlpha stepper;
  State state = system.initial_state();
  REQUIRE(stepper.attach(system).status == Status::ok);
  CHECK(stepper.start(state, h).status == Status::inconsistent_start);
}

}  // namespace sliding_joints_tests
