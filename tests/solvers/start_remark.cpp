// Initial velocities that the joints do not allow are made consistent, and the run says so, whatever the stepper.
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/model/joints.hpp>
#include <catena/solvers/alpha_rattle.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/solvers/lie_dae.hpp>

#include <doctest/doctest.h>

namespace start_remark_tests {

using namespace catena;
using namespace catena::detail;

namespace {

// A ball that hangs at the origin on an arm of 1 m.
Model hung(const Vec3& velocity) {
  Model model;
  Body ball;
  ball.name = "ball";
  ball.mass = 1.0;
  ball.inertia = Mat3::Identity();
  ball.position = Vec3{{1.0, 0.0, 0.0}};
  ball.velocity = velocity;
  const BodyId id = model.add(ball);
  model.add(SphericalJoint{.bodies = {ground, id}, .point_b = Vec3{{-1.0, 0.0, 0.0}}, .name = "hook"});
  return model;
}

template <class S>
RunResult started(const Vec3& velocity) {
  const MultibodySystem system(hung(velocity));
  State state = system.initial_state();
  S stepper;
  return run(system, stepper, state, {.step = 1e-3, .end = 1e-3});
}

}  // namespace

TEST_CASE_TEMPLATE("inconsistent velocities are reported", S, GeneralizedAlpha, AlphaRattle, LieDae) {
  const RunResult result = started<S>(Vec3{{3.0, 1.0, 2.0}});
  REQUIRE(result.status == Status::ok);
  CHECK(result.start_remark.quantity == "velocity residual removed at the start");
  CHECK(result.start_remark.name == "joint \"hook\" (spherical)");
  CHECK(result.start_remark.value == doctest::Approx(3.0));
  CHECK(started<S>(Vec3::Zero()).start_remark.quantity.empty());
}

}  // namespace start_remark_tests
