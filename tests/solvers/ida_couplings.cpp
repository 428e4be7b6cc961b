// Couplings whose angles count full turns, in the coordinates that ida takes.
#include <catena/assembly/quaternion_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/measure/joint_values.hpp>
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>

#include "solvers/ida_support.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace ida_couplings_tests {

using namespace catena;

TEST_CASE("ida follows the turns of a gear of an irrational ratio") {
  constexpr double pi = 3.14159265358979323846;
  const double ratio = -std::sqrt(2.0), J1 = 0.02, J2 = 0.05, M = 1.0;
  Model model;
  model.gravity = Vec3::Zero();
  BodyId wheels[2];
  for (int k = 0; k < 2; ++k) {
    const Vec3 place{{static_cast<double>(k), 0.0, 0.0}};
    wheels[k] = model.add(Body{.name = k == 0 ? "first" : "second",
                               .inertia = diagonal(Vec3{{0.6, 0.6, k == 0 ? J1 : J2}}),
                               .position = place});
    model.add(RevoluteJoint{.bodies = {ground, wheels[k]}, .point_a = place});
  }
  model.add(Torque{.bodies = {wheels[0]}, .torque = {{0.0, 0.0, M}}});
  model.add(Gear{.bodies = {ground, wheels[0], wheels[1]}, .ratio = ratio, .name = "gear"});
  const QuaternionSystem system(std::move(model));
  // theta_1 = ratio theta_2: (J1 + J2 / ratio^2) theta_1'' = M
  const double a = M / (J1 + J2 / (ratio * ratio));
  const double end = std::sqrt(2.0 * 4.0 * pi / a);  // two turns of the first wheel
  Ida stepper;
  State s = system.initial_state();
  const RunResult result = run(system, stepper, s, {.step = 1e-2, .end = end});
  REQUIRE(result.status == Status::ok);
  // The default tolerances are 1e-6 a step; without the turns the row would be wrong by 2 pi (1 - 1 / sqrt 2) rad.
  const RigidBodyState first = pose(system, s, wheels[0]), second = pose(system, s, wheels[1]);
  CHECK(first.angular_velocity[2] == doctest::Approx(a * end).epsilon(1e-4));
  CHECK(second.angular_velocity[2] == doctest::Approx(a * end / ratio).epsilon(1e-4));
  REQUIRE(s.discrete.size() == 2);
  CHECK(s.discrete[0] == doctest::Approx(4.0 * pi).epsilon(1e-4));
  CHECK(s.discrete[1] == doctest::Approx(4.0 * pi / ratio).epsilon(1e-4));
}

}  // namespace ida_couplings_tests
