// Rows that see where bodies are in the world: the height of a disc above a plane that lies askew is what is left of two
// coordinates that grow as it rolls, and so does its roundoff.
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/model/joints.hpp>
#include <catena/solvers/alpha_rattle.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/solvers/lie_dae.hpp>

#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>

namespace askew_plane_tests {

using namespace catena;
using namespace catena::detail;

namespace {

constexpr double radius = 0.1, slope = 0.17, gravity = 9.81, speed = 6.0;

// A uniform wheel that rolls down a slope: s = v t + g sin(slope) t^2 / 3.
Model wheel() {
  Model model;
  model.gravity = {{0.0, 0.0, -gravity}};
  const Vec3 normal{{std::sin(slope), 0.0, std::cos(slope)}}, down{{std::cos(slope), 0.0, -std::sin(slope)}};
  const double half = std::sqrt(0.5);
  const double spin = speed / radius;  // about world y, which is -z of the body
  const BodyId disc = model.add({.name = "wheel",
                                 .inertia = diagonal(Vec3{{0.0025, 0.0025, 0.005}}),
                                 .position = radius * normal,
                                 .orientation = {half, half, 0.0, 0.0},
                                 .velocity = speed * down,
                                 .angular_velocity = {{0.0, 0.0, -spin}}});
  model.add(DiscContact{.bodies = {disc}, .radius = radius, .normal = normal});
  model.add(RollingDisc{.bodies = {disc}, .radius = radius, .normal = normal});
  return model;
}

}  // namespace

TEST_CASE("a wheel rolls hundreds of its radii down a slope under every stepper, to where the formula says") {
  const MultibodySystem system(wheel());
  const double end = 4.0, way = speed * end + gravity * std::sin(slope) * end * end / 3.0;
  const auto roll = [&](Stepper&& stepper) {
    CAPTURE(stepper.traits().name);
    State state = system.initial_state();
    const RunResult result = run(system, stepper, state, {.step = 1e-3, .end = end});
    CAPTURE(result.t_end);
    CAPTURE(result.culprit.quantity);
    CHECK(result.status == Status::ok);
    const Vec3 at = system.bodies(state)[0].position;
    CHECK(at[0] * std::cos(slope) - at[2] * std::sin(slope) == catena_test::relative(way, 1e-6));
  };
  roll(GeneralizedAlpha());
  roll(AlphaRattle());
  roll(LieDae());
  roll(LieDae({.index = LieDaeOptions::Index::stabilized}));
  roll(DormandPrince());
}

TEST_CASE("a bob that is small beside its rod may drift by the bob's own size under index 1 and 2") {
  Model model;
  model.gravity = {{0.0, 0.0, -gravity}};
  const BodyId bob = model.add(
      {.name = "bob", .mass = 1e-3, .inertia = 4e-10 * Mat3::Identity(), .position = {{10.0, 0.0, 0.0}}});
  model.add(DistanceConstraint{.bodies = {ground, bob}, .length = 10.0, .name = "rod"});
  const MultibodySystem system(model);
  for (const auto index : {LieDaeOptions::Index::one, LieDaeOptions::Index::two}) {
    LieDae stepper({.index = index});
    State state = system.initial_state();
    const RunResult result = run(system, stepper, state, {.step = 0.02, .end = 2.0});
    CHECK(result.status == Status::ok);
    double gap = 0.0;
    Evaluation wanted;
    wanted.position = &gap;
    system.evaluate(point_of(state), wanted);
    CHECK(std::abs(gap) > 3e-3);
    CHECK(std::abs(gap) < 0.1);
  }
}

}  // namespace askew_plane_tests
