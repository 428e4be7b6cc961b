// Redundant rows and systems without forces: where lambda is open, and where it is zero.
#include <catena/assembly/multibody_system.hpp>
#include <catena/model/joints.hpp>
#include <catena/solvers/generalized_alpha.hpp>

#include "support/relative.hpp"
#include "support/residual.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace generalized_alpha_redundant_tests {

namespace {

using namespace catena;
using namespace catena::detail;
using catena_test::largest;

// Two upright bars of 1 m and a coupler of 2 m on four hinges, turned in space so that nothing is aligned:
// three rows too many. At rest in its unstable equilibrium. misfit [m] moves the last hinge along the axis.
Model four_bar(double misfit) {
  constexpr double half_pi = 1.57079632679489661923;
  const Quat turn = normalized(Quat{0.7, 0.3, -0.5, 0.4});
  const Mat3 R = rotation_matrix(turn);
  Model model;
  model.gravity = R * Vec3{{0, -9.81, 0}};
  const auto bar = [&](const char* name, double x, double y, double angle) {
    Body b;
    b.name = name;
    b.mass = 2.0;
    b.inertia = diagonal(Vec3{{0.02, 0.03, 0.04}});
    b.position = R * Vec3{{x, y, 0}};
    b.orientation = turn * Quat{std::cos(angle / 2), 0, 0, std::sin(angle / 2)};
    return model.add(b);
  };
  const BodyId left = bar("left", 0, 0.5, half_pi), coupler = bar("coupler", 1, 1, 0),
               right = bar("right", 2, 0.5, half_pi);
  const Vec3 z = Vec3::Unit(2), axis = R * z;
  model.add(RevoluteJoint{
      .bodies = {ground, left}, .point_b = {{-0.5, 0, 0}}, .axis_a = axis, .axis_b = z, .name = "a"});
  model.add(RevoluteJoint{
      .bodies = {left, coupler}, .point_a = {{0.5, 0, 0}}, .point_b = {{-1, 0, 0}}, .name = "b"});
  model.add(RevoluteJoint{
      .bodies = {coupler, right}, .point_a = {{1, 0, 0}}, .point_b = {{0.5, 0, 0}}, .name = "c"});
  model.add(RevoluteJoint{.bodies = {ground, right},
                          .point_a = R * Vec3{{2, 0, misfit}},
                          .point_b = {{-0.5, 0, 0}},
                          .axis_a = axis,
                          .axis_b = z,
                          .name = "d"});
  return model;
}

}  // namespace

TEST_CASE(
    "four-bar of hinges at rest: lambda keeps its size for any step, also with a misfit; a joint is named") {
  for (const double misfit : {0.0, 1e-12})
    for (const double h : {1e-3, 1e-4}) {
      const MultibodySystem system(four_bar(misfit));
      GeneralizedAlpha stepper;
      REQUIRE(stepper.attach(system).status == Status::ok);
      State s = system.initial_state();
      const Outcome start = stepper.start(s, h);
      REQUIRE(start.status == Status::ok);
      CHECK(start.culprit.quantity == "redundant rows suspected");
      const double at_start = largest(s.lambda);
      for (int k = 0; k < 500; ++k) REQUIRE(stepper.step(s, h).status == Status::ok);
      // compliance(): noise of 1e-5 of the multipliers; a misfit of 1e-12 m allows
      // misfit / (beta h^2 epsilon S) = 1e-12 / (0.3 * 1e-8 * h) * 2 kg = 0.7 N at h = 1e-3, 7 N at 1e-4
      const double open = misfit / (0.3 * 1e-8 * h) * 2.0;
      CHECK(std::abs(largest(s.lambda) - at_start) < 1e-3 * at_start + 2.0 * open);
    }
}

TEST_CASE("two bodies on a ball joint in free fall, without any force between them: every step converges") {
  for (const auto index : {GeneralizedAlphaOptions::Index::three, GeneralizedAlphaOptions::Index::two}) {
    Model model;
    model.gravity = {{0, 0, -9.81}};
    Body a, b;
    a.inertia = b.inertia = diagonal(Vec3{{0.1, 0.2, 0.25}});
    b.position = {{1, 0, 0}};
    const BodyId first = model.add(a), second = model.add(b);
    model.add(SphericalJoint{.bodies = {first, second}, .point_a = {{0.5, 0, 0}}, .point_b = {{-0.5, 0, 0}}});
    const MultibodySystem system(std::move(model));
    GeneralizedAlpha stepper({.index = index});
    REQUIRE(stepper.attach(system).status == Status::ok);
    State s = system.initial_state();
    REQUIRE(stepper.start(s, 1e-3).status == Status::ok);
    for (int k = 0; k < 500; ++k) REQUIRE(stepper.step(s, 1e-3).status == Status::ok);
    CHECK(s.q[2] == catena_test::relative(-0.5 * 9.81 * 0.25, 1e-10));  // constant acceleration: exact
    CHECK(stepper.statistics().newton_iterations <= 2 * stepper.statistics().steps);
  }
}

TEST_CASE("a state that start() did not make is refused with a sentence") {
  const MultibodySystem system(four_bar(0.0));
  GeneralizedAlpha stepper;
  REQUIRE(stepper.attach(system).status == Status::ok);
  State s = system.initial_state();
  const Outcome o = stepper.step(s, 1e-3);
  CHECK(o.status == Status::unsupported);
  CHECK(o.culprit.name.find("start()") != std::string::npos);
}

}  // namespace generalized_alpha_redundant_tests
