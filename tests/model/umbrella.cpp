// One header is enough for a program: a pendulum from the model to its reaction.
#include <catena/catena.hpp>

#include <doctest/doctest.h>

#include <cmath>

TEST_CASE("catena.hpp alone describes, runs and measures a mechanism") {
  using namespace catena;
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  const BodyId bob = model.add(
      Body{.name = "bob", .mass = 2.0, .inertia = sphere_inertia(2.0, 0.1), .position = {{0.0, 0.0, -1.0}}});
  const ConstraintId hip = model.add(
      between<SphericalJoint>(model.frame(ground, Vec3::Zero()), model.frame(bob, {{0.0, 0.0, 1.0}}), "hip"));
  MultibodySystem system(model);
  GeneralizedAlpha stepper;
  State state = system.initial_state();
  const RunResult result = run(system, stepper, state, {.step = 1e-2, .end = 0.1});
  CHECK(result.status == Status::ok);
  // At rest the joint carries the weight, 2 kg times 9.81 m/s^2.
  CHECK(reaction(system, state, hip).force[2] == doctest::Approx(19.62).epsilon(1e-12));
  CHECK(std::abs(pose(system, state, bob).position[2] + 1.0) < 1e-14);
}
