// Which forces count as dampers with a mistaken sign.
#include <catena/assembly/multibody_system.hpp>
#include <catena/measure/detail/negative_dampers.hpp>
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/marker.hpp>

#include <doctest/doctest.h>

#include <string>

namespace {

using namespace catena;
using namespace catena::detail;

std::string makers(const Model& model) {
  const MultibodySystem system(model);
  return negative_dampers(system, system.initial_state());
}

// A rotor on a hinge and a bob beside it.
struct Bench {
  Model model;
  BodyId rotor = model.add(Body{.name = "rotor"}),
         bob = model.add(Body{.name = "bob", .position = {{2.0, 0.0, 0.0}}});
  ConstraintId axle = model.add(joint_at<RevoluteJoint>(model, ground, rotor, {}, "axle"));
};

}  // namespace

TEST_CASE("springs that push, motors, constant forces, dampers and friction are no negative dampers") {
  Bench bench;
  bench.model.add(
      SpringDamper{.bodies = {ground, bench.bob}, .stiffness = -100.0, .damping = 3.0, .rest_length = 1.0});
  bench.model.add(
      JointForce{.joint = bench.axle, .stiffness = -5.0, .damping = 1e-9, .actuator = 4.0, .friction = 2.0});
  bench.model.add(PointForce{.bodies = {bench.bob}, .force = {{3.0, 4.0, 5.0}}, .axes = Axes::body});
  bench.model.add(Torque{.bodies = {bench.rotor}, .torque = {{0.0, 0.0, 7.0}}, .axes = Axes::body});
  CHECK(makers(bench.model).empty());
}

TEST_CASE("dampers with a negative coefficient are named, however small it is") {
  Bench bench;
  bench.model.add(SpringDamper{.bodies = {ground, bench.bob},
                               .stiffness = 100.0,
                               .damping = -1e-6,
                               .rest_length = 1.0,
                               .name = "strut"});
  CHECK(makers(bench.model) ==
        "force \"strut\" (spring_damper) supplies energy whichever way it moves, as a damper with a negative "
        "coefficient does");
  bench.model.add(
      SpringDamper{.bodies = {bench.rotor, bench.bob}, .damping = -1.0, .rest_length = 1.0, .name = "link"});
  CHECK(makers(bench.model) ==
        "force \"strut\" (spring_damper), force \"link\" (spring_damper) supply energy whichever way they "
        "move, as a damper with a negative coefficient does");
}
