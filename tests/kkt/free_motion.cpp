// What can move at a state, what begins at rest, and why.
#include <catena/assembly/multibody_system.hpp>
#include <catena/kkt/detail/free_motion.hpp>
#include <catena/measure/detail/standstill.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/marker.hpp>
#include <catena/problems/four_bar.hpp>
#include <catena/problems/helix_chain.hpp>

#include <doctest/doctest.h>

#include <string>

namespace {

using namespace catena;
using namespace catena::detail;

FreeMotion look(const Model& model) {
  const MultibodySystem system(model);
  return find_free_motion(system, system.initial_state(), 1.0);
}

// A door on a hinge along `axis`, its centre of mass 0.5 m beside it.
Model door(const Vec3& axis) {
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  const BodyId leaf = model.add(Body{.name = "leaf", .position = {{0.5, 0.0, 0.0}}});
  model.add(joint_at<RevoluteJoint>(model, ground, leaf, {.axis = axis}, "pivot"));
  return model;
}

std::string reason(const Model& model) {
  const MultibodySystem system(model);
  return standstill_reason(system, system.initial_state());
}

}  // namespace

TEST_CASE("a door on an upright hinge begins at rest, and the axis of the hinge is the reason") {
  const FreeMotion upright = look(door({{0.0, 0.0, 2.0}})), level = look(door({{0.0, 1.0, 0.0}}));
  CHECK(upright.known);
  CHECK(upright.any);
  CHECK(upright.held.empty());
  CHECK(upright.at_rest);
  CHECK(reason(door({{0.0, 0.0, 2.0}})) == "the axis of joint \"pivot\" (revolute) is parallel to gravity");
  CHECK(level.any);
  CHECK_FALSE(level.at_rest);
  CHECK(reason(door({{0.0, 1.0, 0.0}})).empty());
  // Off by a thousandth of a degree it falls.
  const Model tilted = door({{0.0, 2e-5, 1.0}});
  CHECK_FALSE(look(tilted).at_rest);
  CHECK(reason(tilted).empty());
}

TEST_CASE("a velocity, a drive that begins later or a spring in tension is no rest") {
  Model turning = door(Vec3::Unit(2));
  turning.body(BodyId{0}).velocity = {{0.0, 0.5, 0.0}};
  turning.body(BodyId{0}).angular_velocity = {{0.0, 0.0, 1.0}};
  CHECK_FALSE(look(turning).at_rest);
  Model driven = door(Vec3::Unit(2));
  driven.add(JointDrive{.joint = ConstraintId{0},
                        .target = functions::SmoothStep{.to = 1.0, .start = 0.4, .end = 0.9}});
  const FreeMotion later = look(driven);
  CHECK(later.any);  // the hinge is not free, the drive moves it
  CHECK(later.held.empty());
  CHECK_FALSE(later.at_rest);
}

TEST_CASE("a body that nothing can move is named while others move") {
  Model model = door(Vec3::Unit(1));
  const BodyId shelf = model.add(Body{.name = "shelf", .position = {{0.0, 2.0, 0.0}}});
  for (const Vec3& axis : {Vec3::Unit(0), Vec3::Unit(2)})
    model.add(joint_at<RevoluteJoint>(model, ground, shelf, {.point = {{0.0, 2.0, 0.0}}, .axis = axis}));
  const FreeMotion found = look(model);
  CHECK(found.any);
  REQUIRE(found.held.size() == 1);
  CHECK(MultibodySystem(model).velocity_block_name(found.held[0]) == "body \"shelf\"");
}

TEST_CASE("a truss cannot move at all; chains and a four-bar with redundant rows can, and fall") {
  Model welded = door(Vec3::Unit(2));
  welded.add(joint_at<RevoluteJoint>(welded, ground, BodyId{0}, {.axis = Vec3::Unit(0)}));
  const FreeMotion locked = look(welded);
  CHECK(locked.known);
  CHECK_FALSE(locked.any);
  for (const Model& model : {FourBar().model(), HelixChain().model()}) {
    const FreeMotion found = look(model);
    CHECK(found.any);
    CHECK(found.held.empty());
  }
  CHECK_FALSE(look(HelixChain().model()).at_rest);
}
