// The fastest oscillation of the forces on a body, in six velocities and in seven coordinates.
#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/measure/detail/oscillation.hpp>
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/marker.hpp>

#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace oscillation_tests {

using namespace catena;
using namespace catena::detail;
using catena_test::relative;

TEST_CASE("a wheel on a torsion spring oscillates at sqrt(k / J), whatever the coordinates and the pose") {
  for (const double turned : {0.0, 0.7}) {
    Model model;
    const Quat pose = exponential(Vec3((turned / 3.0) * Vec3{{1.0, 2.0, 2.0}}));
    const Vec3 axis = rotation_matrix(pose) * Vec3::Unit(2);
    const BodyId wheel =
        model.add(Body{.name = "wheel", .inertia = diagonal(Vec3{{0.4, 0.3, 0.5}}), .orientation = pose});
    const ConstraintId hinge = model.add(joint_at<RevoluteJoint>(model, ground, wheel, {.axis = axis}));
    model.add(JointForce{.joint = hinge, .stiffness = 0.5});
    const MultibodySystem six(model);
    const QuaternionSystem seven(model);
    CHECK(fastest_oscillation(six, six.initial_state()).rate == relative(1.0, 1e-12));
    CHECK(fastest_oscillation(seven, seven.initial_state()).rate == relative(1.0, 1e-12));
  }
}

TEST_CASE("a body on a spring and a negative one: the rates and signs of both coordinates agree") {
  for (const double k : {300.0, -300.0}) {
    Model model;
    const BodyId body = model.add(Body{.name = "body",
                                       .mass = 3.0,
                                       .inertia = diagonal(Vec3{{0.4, 0.3, 0.5}}),
                                       .position = {{1.0, 0.0, 0.0}}});
    model.add(SpringDamper{.bodies = {ground, body}, .stiffness = k, .rest_length = 1.0});
    const MultibodySystem six(model);
    const QuaternionSystem seven(model);
    for (const Oscillation& found :
         {fastest_oscillation(six, six.initial_state()), fastest_oscillation(seven, seven.initial_state())}) {
      CHECK(found.rate == relative(10.0, 1e-12));
      CHECK(found.runs_away == (k < 0.0));
      CHECK(found.block == 0);
    }
  }
}

}  // namespace oscillation_tests
