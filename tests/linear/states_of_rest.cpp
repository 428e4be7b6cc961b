// Whether a state is one of rest, and equilibria: beside stiff and light parts, with redundant rows, with functions of the time.
#include <catena/model/parts/bushing.hpp>
#include <catena/model/parts/inertia.hpp>
#include <catena/model/parts/joint_drive.hpp>
#include <catena/model/parts/joint_force.hpp>
#include <catena/model/parts/point_force.hpp>
#include <catena/model/parts/varying_force.hpp>
#include <catena/problems/rotary_pendulum.hpp>

#include "linear/linear_mechanisms.hpp"

#include <doctest/doctest.h>

namespace states_of_rest_tests {
namespace {

using namespace catena;
using namespace catena::test;

constexpr double g = 9.81;

Equilibrium rest_of(const Model& model) {
  const MultibodySystem system(model);
  return find_equilibrium(system, system.initial_state());
}

LinearMotion linear(const Model& model) {
  const MultibodySystem system(model);
  LinearMotion motion = linearize(system, system.initial_state());
  motion.system = nullptr;
  return motion;
}

// A point on a line through it, held by a spring along the line.
BodyId chip(Model& model, double mass, double stiffness, const Vec3& at, const Vec3& axis) {
  const BodyId id =
      model.add(Body{.name = "chip", .mass = mass, .position = at, .motion = BodyMotion::point});
  model.add(PointOnLineJoint{.bodies = {ground, id}, .point_a = at, .axis_a = axis});
  model.add(SpringDamper{
      .bodies = {ground, id}, .point_a = Vec3(at + axis), .stiffness = stiffness, .rest_length = 1.0});
  return id;
}

TEST_CASE("a stiff and light part does not hide that another body falls, and its equilibrium is found") {
  for (const double stiffness : {1e5, 1e9}) {
    Model model;
    model.gravity = {{0.0, 0.0, -g}};
    const BodyId rod = model.add(Body{.name = "rod",
                                      .mass = 2.0,
                                      .inertia = diagonal(Vec3{{0.2, 0.2, 0.01}}),
                                      .position = {{0.6, 0.0, -0.8}}});
    model.add(joint_at<RevoluteJoint>(model, ground, rod, {.axis = Vec3::Unit(1)}, "hinge"));
    chip(model, 1e-3, stiffness, Vec3::Unit(0), Vec3::Unit(0));
    const LinearMotion motion = linear(model);
    CHECK(motion.status == Status::inconsistent_start);
    CHECK(motion.culprit.name == "body \"rod\"");
    CHECK(motion.unsteady > 0.1);
    const Equilibrium rest = rest_of(model);
    REQUIRE(rest.status == Status::ok);
    CHECK(std::abs(rest.state.q[0]) < 1e-12);
    CHECK(std::abs(rest.state.q[2] + 1.0) < 1e-12);
    CHECK(std::abs(std::abs(rest.state.lambda[2]) - 2.0 * g) < 1e-10);
    const double omega = std::sqrt(2.0 * g / 2.2);
    REQUIRE(rest.modes.modes.size() == 2);
    CHECK(std::abs(rest.modes.modes[0].eigenvalue - std::complex<double>(0.0, omega)) < 1e-9 * omega);
  }
}

TEST_CASE(
    "a soft spring beside one that is a thousand million times as stiff, for its mass, yields m g / k") {
  Model model;
  model.gravity = {{0.0, 0.0, -g}};
  const BodyId heavy = model.add(Body{.name = "heavy", .mass = 10.0, .motion = BodyMotion::point});
  model.add(PointOnLineJoint{.bodies = {ground, heavy}, .axis_a = Vec3::Unit(2)});
  model.add(SpringDamper{
      .bodies = {ground, heavy}, .point_a = Vec3::Unit(2), .stiffness = 1e3, .rest_length = 1.0});
  chip(model, 1e-3, 1e8, Vec3::Unit(0), Vec3::Unit(2));
  const Equilibrium rest = rest_of(model);
  REQUIRE(rest.status == Status::ok);
  CHECK(std::abs(rest.state.q[2] + 10.0 * g / 1e3) < 1e-13);
  CHECK(std::abs(rest.state.q[9] + 1e-3 * g / 1e8) < 1e-15);
}

Bushing bushing(const Model& model, BodyId a, BodyId b, const Vec3& at, double shift, double turn) {
  const auto place = [&](BodyId id) { return id == ground ? Vec3::Zero() : model.body(id).position; };
  Bushing k{.bodies = {a, b}, .point_a = at - place(a), .point_b = at - place(b)};
  for (int i = 0; i < 3; ++i) k.stiffness(i, i) = shift, k.stiffness(3 + i, 3 + i) = turn;
  return k;
}

TEST_CASE("a rod on a bushing that is stiff but for turns falls, and is not taken to be at rest or steady") {
  // Its own stiffness, 1e9 N/m on 1 kg, is a thousand million times its acceleration.
  for (const double rate : {0.0, 1e-3}) {
    Model model;
    model.gravity = {{0.0, 0.0, -g}};
    const BodyId rod = model.add(Body{.name = "rod",
                                      .inertia = 0.1 * Mat3::Identity(),
                                      .position = {{0.6, 0.0, -0.8}},
                                      .velocity = {{-0.8 * rate, 0.0, -0.6 * rate}},
                                      .angular_velocity = {{0.0, rate, 0.0}}});
    model.add(bushing(model, ground, rod, Vec3::Zero(), 1e9, 0.0));
    const LinearMotion motion = linear(model);
    CHECK(motion.status == Status::inconsistent_start);
    CHECK(motion.culprit.name == "body \"rod\"");
  }
}

TEST_CASE("Bricard's mechanism, with a redundant row, sinks to its lowest place with closed joints") {
  Model model;
  model.gravity = {{0.0, -g, 0.0}};
  const Vec3 corners[] = {{{0, 0, 0}}, {{1, 0, 0}}, {{1, -1, 0}}, {{1, -1, 1}}, {{0, -1, 1}}, {{0, 0, 1}}};
  const int axes[] = {1, 2, 0, 1, 2, 0};
  BodyId before = ground;
  for (int k = 0; k < 6; ++k) {
    BodyId rod = ground;
    if (k < 5) {
      const Vec3 d = corners[k + 1] - corners[k];
      Vec3 J = Vec3::Zero();
      for (int i = 0; i < 3; ++i) J[i] = d[i] == 0.0 ? 1.01 / 12.0 : 0.02 / 12.0;
      rod = model.add(Body{.inertia = diagonal(J), .position = 0.5 * (corners[k] + corners[k + 1])});
    }
    model.add(
        joint_at<RevoluteJoint>(model, before, rod, {.point = corners[k], .axis = Vec3::Unit(axes[k])}));
    before = rod;
  }
  const Equilibrium rest = rest_of(model);
  REQUIRE(rest.status == Status::ok);
  // Its plane of symmetry upright, sin a = 1 and sin b = -1/2 of its closure: heights 0, 2 -sqrt(3)/4, 2 -3 sqrt(3)/4.
  double height = 0.0;
  for (std::size_t k = 0; k < 5; ++k) height += rest.state.q[7 * k + 1];
  CHECK(std::abs(height + 2.0 * std::sqrt(3.0)) < 1e-12);
  for (const double lambda : rest.state.lambda) CHECK(std::abs(lambda) < 5.0 * g);
  CHECK(rest.modes.status == Status::ok);  // closed joints, a state of rest
  CHECK(rest.modes.stability == Stability::neutral);
}

TEST_CASE("a small body at the end of an arm sinks along with it") {
  for (const double J : {1e-8, 1e-6}) {
    Model model;
    model.gravity = {{0.0, 0.0, -g}};
    const BodyId arm = model.add(
        Body{.name = "arm", .inertia = diagonal(Vec3{{0.01, 0.1, 0.1}}), .position = {{0.5, 0.0, 0.0}}});
    const BodyId sensor = model.add(
        Body{.name = "sensor", .mass = 0.01, .inertia = J * Mat3::Identity(), .position = {{1.0, 0.0, 0.0}}});
    model.add(joint_at<RevoluteJoint>(model, ground, arm, {.axis = Vec3::Unit(1)}));
    if (J < 1e-7)
      model.add(joint_at<WeldJoint>(model, arm, sensor, {.point = {{1.0, 0.0, 0.0}}}));
    else
      model.add(bushing(model, arm, sensor, {{1.0, 0.0, 0.0}}, 1e6, 100.0));
    const Equilibrium rest = rest_of(model);
    CAPTURE(rest.culprit.name);
    REQUIRE(rest.status == Status::ok);
    CHECK(rest.iterations < 40);
    CHECK(std::abs(rest.state.q[0]) < 1e-9);
    CHECK(std::abs(rest.state.q[2] + 0.5) < 1e-12);
    // The bushing yields by the weight of the sensor over its stiffness.
    CHECK(std::abs(rest.state.q[9] + 1.0 + (J < 1e-7 ? 0.0 : 0.01 * g / 1e6)) < 1e-12);
  }
}

TEST_CASE("a slider-crank on its dead point, pushed along it, is at rest where redundant rows are many") {
  Model model;
  const auto bar = [&](const char* name, double length, double J, double x) {
    return model.add(Body{
        .name = name, .inertia = diagonal(Vec3{{0.01, J, J}}), .position = {{x - 0.5 * length, 0.0, 0.0}}});
  };
  const BodyId crank = bar("crank", 1.0, 0.1, 1.0), rod = bar("rod", 2.0, 0.3, 3.0),
               block = bar("block", 0.0, 0.1, 3.0);
  model.add(joint_at<RevoluteJoint>(model, ground, crank, {}));
  model.add(joint_at<RevoluteJoint>(model, crank, rod, {.point = {{1.0, 0.0, 0.0}}}));
  model.add(joint_at<RevoluteJoint>(model, rod, block, {.point = {{3.0, 0.0, 0.0}}}));
  model.add(
      joint_at<PrismaticJoint>(model, ground, block, {.point = {{3.0, 0.0, 0.0}}, .axis = Vec3::Unit(0)}));
  model.add(PointForce{.bodies = {block}, .force = {{-10.0, 0.0, 0.0}}});
  const Equilibrium rest = rest_of(model);
  REQUIRE(rest.status == Status::ok);
  CHECK(rest.moves.empty());
  CHECK(rest.modes.unstable == 1);
}

TEST_CASE("a drive that accelerates at this instant does not push on the equilibrium of this instant") {
  Model model;
  model.gravity = {{0.0, 0.0, -g}};
  const BodyId rod = model.add(Body{.name = "rod", .position = {{1.0, 0.0, 0.0}}});
  const ConstraintId hinge =
      model.add(joint_at<RevoluteJoint>(model, ground, rod, {.axis = Vec3::Unit(1)}, "hinge"));
  model.add(JointDrive{.joint = hinge,
                       .target = functions::Polynomial{.coefficients = {0.0, 0.0, 5.0}},
                       .as_placed = true,
                       .name = "motor"});
  const Equilibrium rest = rest_of(model);
  REQUIRE(rest.status == Status::ok);
  CHECK(std::abs(std::abs(rest.state.lambda[5]) - g) < 1e-12);  // the moment of its weight
  CHECK(rest.modes.status == Status::inconsistent_start);
  CHECK(rest.modes.culprit.name == "joint \"motor\" (drive)");
}

TEST_CASE(
    "at rest forces and drives that change at any later time are refused by name, constant ones are not") {
  const auto pushed = [](const Function& factor) {
    Model model;
    const BodyId a = model.add(Body{.name = "a"});
    model.add(joint_at<PrismaticJoint>(model, ground, a, {.axis = Vec3::Unit(0)}));
    model.add(SpringDamper{
        .bodies = {ground, a}, .point_a = {{-1.0, 0.0, 0.0}}, .stiffness = 100.0, .rest_length = 1.0});
    model.add(VaryingForce{.bodies = {a}, .force = Vec3::Unit(0), .factor = factor});
    return linear(model);
  };
  const auto driven = [](const Function& target, bool rate) {
    Model model;
    const BodyId a = model.add(Body{.name = "a"});
    const ConstraintId hinge = model.add(joint_at<RevoluteJoint>(model, ground, a, {}));
    model.add(JointDrive{.joint = hinge, .rate = rate, .target = target, .name = "motor"});
    return linear(model);
  };
  const Function sines[] = {functions::Sine{.frequency = 50.0}, functions::Sine{.frequency = 100.0},
                            functions::Sine{.frequency = 1e4}};
  for (const Function& sine : sines) {
    const LinearMotion motion = pushed(sine);
    CHECK(motion.status == Status::inconsistent_start);
    CHECK(motion.culprit.why == "what acts on it depends on time");
  }
  CHECK(pushed(functions::Ramp{.from = 0.0, .to = 5.0, .start = 10.0, .end = 11.0}).culprit.name ==
        "body \"a\"");
  CHECK(pushed(functions::Table{.x = {0.0, 20.0, 21.0, 30.0}, .y = {0.0, 0.0, 1.0, 0.0}}).status ==
        Status::inconsistent_start);
  CHECK(pushed(0.0).status == Status::ok);
  CHECK(pushed(functions::Ramp{.from = 1.0, .to = 0.0, .start = -2.0, .end = -1.0}).status == Status::ok);
  CHECK(pushed(functions::Table{.x = {0.0, 0.1, 0.2, 1.0}, .y = {0.0, 0.0, 0.0, 0.0}}).status == Status::ok);

  for (const bool rate : {false, true}) {
    const LinearMotion early = driven(functions::SmoothStep{.to = 6.0, .start = 0.1, .end = 0.6}, rate),
                       late = driven(functions::SmoothStep{.to = 6.0, .start = 5.0, .end = 6.0}, rate);
    for (const LinearMotion* motion : {&early, &late}) {
      CHECK(motion->status == Status::inconsistent_start);
      CHECK(motion->culprit.name == "joint \"motor\" (drive)");
    }
    CHECK(driven(functions::SmoothStep{.from = 3.0, .to = 0.0, .start = -2.0, .end = -1.0}, rate).status ==
          Status::ok);
  }
}

TEST_CASE("an equilibrium gives angles among coordinates of their own as turns") {
  RotaryPendulumParameters parameters;
  parameters.theta_0 = 0.0;
  parameters.theta_1 = 0.5 * std::numbers::pi;
  const std::unique_ptr<System> system = RotaryPendulum(parameters).own_system();
  const Equilibrium rest = find_equilibrium(*system, system->initial_state());
  REQUIRE(rest.status == Status::ok);
  REQUIRE(rest.moves.size() == 1);
  CHECK(rest.moves[0].distance == 0.0);
  CHECK(std::abs(rest.moves[0].turn - 0.5 * std::numbers::pi) < 1e-12);
}

}  // namespace
}  // namespace states_of_rest_tests
