// The motions that joints leave free, in words.
#include <catena/assembly/multibody_system.hpp>
#include <catena/kkt/detail/factored_rows.hpp>
#include <catena/measure/detail/named_motions.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/marker.hpp>
#include <catena/problems/four_bar.hpp>

#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

namespace {

using namespace catena;
using namespace catena::detail;
using catena_test::relative;

std::vector<NamedMotion> motions_of(const Model& model, int count) {
  const MultibodySystem system(model);
  const State state = system.initial_state();
  FactoredRows rows(system, state);
  return named_motions(system, rows, count);
}

// A bar of 2 m along x on a hinge about z, and one on a slide along (0, 0.6, 0.8) on it.
Model bar_and_slider() {
  Model model;
  const BodyId bar = model.add(Body{.name = "bar", .position = {{1.0, 0.0, 0.0}}}),
               sledge = model.add(Body{.name = "sledge", .position = {{2.0, 0.0, 0.0}}});
  model.add(joint_at<RevoluteJoint>(model, ground, bar, {.axis = Vec3::Unit(2)}, "hip"));
  model.add(joint_at<PrismaticJoint>(model, bar, sledge,
                                     {.point = {{2.0, 0.0, 0.0}}, .axis = {{0.0, 0.6, 0.8}}}, "rail"));
  return model;
}

}  // namespace

TEST_CASE("each free motion has a joint of its own, and the bodies move about named axes") {
  const std::vector<NamedMotion> motions = motions_of(bar_and_slider(), 2);
  REQUIRE(motions.size() == 2);
  CHECK(joints_in_words(motions[0], 4) == "\"hip\" turns 1 rad/s");
  CHECK(bodies_in_words(motions[0], 4) ==
        "\"bar\" turns about z at \"hip\", 1 rad/s; \"sledge\" turns about z through (0, 0, 0), 1 rad/s");
  CHECK(joints_in_words(motions[1], 4) == "\"rail\" slides 1 m/s");
  CHECK(bodies_in_words(motions[1], 4) == "\"sledge\" moves along (0, 0.6, 0.8), 1 m/s");
}

TEST_CASE("of a four-bar one motion is free, at the rates that its closed loop has") {
  const FourBar problem;
  const std::vector<NamedMotion> motions = motions_of(problem.model(), 1);
  REQUIRE(motions.size() == 1);
  REQUIRE(motions[0].joints.size() == 4);
  CHECK(motions[0].joints[0].name == "\"a\"");
  CHECK(motions[0].joints[0].rate == 1.0);
  // From the places of the pivots: omega x (B - A) + omega_c x (C - B) = omega_r x (C - D) in the plane.
  const MultibodySystem system(problem.model());
  const State state = system.initial_state();
  const auto end = [&](int body, double side, double length) {
    const RigidBodyState b = system.body_state(state, BodyId{body});
    return Vec3(b.position + rotation_matrix(b.orientation) * Vec3{{side * 0.5 * length, 0.0, 0.0}});
  };
  const Vec3 B = end(0, 1.0, 0.3), A = end(0, -1.0, 0.3), C = end(1, 1.0, 0.9), D = end(2, -1.0, 0.8);
  const Vec3 r = B - A, c = C - B, s = C - D;
  const double determinant = c[1] * s[0] - s[1] * c[0];
  const double coupler = (s[1] * r[0] - r[1] * s[0]) / determinant,
               rocker = (c[1] * r[0] - c[0] * r[1]) / determinant;
  CAPTURE(coupler);
  CAPTURE(rocker);
  CHECK(motions[0].joints[1].rate == relative(coupler - 1.0, 1e-9));
  CHECK(motions[0].joints[2].rate == relative(rocker - coupler, 1e-9));
  CHECK(motions[0].joints[3].rate == relative(rocker, 1e-9));
  for (const NamedMotion::Joint& joint : motions[0].joints) CHECK(joint.turns);
  REQUIRE(motions[0].bodies.size() == 3);
  CHECK(motions[0].bodies[0].how == "turns about z at \"a\", 1 rad/s");
  CHECK(motions[0].bodies[2].how.starts_with("turns about z at \"d\", "));
  CHECK(motions[0].bodies[1].how.starts_with("turns about z through ("));
}

TEST_CASE("a free body has six motions, along and about axes") {
  Model model;
  model.add(Body{.name = "stone", .position = {{1.0, 2.0, 3.0}}});
  const std::vector<NamedMotion> motions = motions_of(model, 6);
  REQUIRE(motions.size() == 6);
  const char* const expected[] = {"moves along x, 1 m/s",
                                  "moves along y, 1 m/s",
                                  "moves along z, 1 m/s",
                                  "turns about x through (1, 2, 3), 1 rad/s",
                                  "turns about y through (1, 2, 3), 1 rad/s",
                                  "turns about z through (1, 2, 3), 1 rad/s"};
  for (std::size_t k = 0; k < 6; ++k) {
    CHECK(motions[k].joints.empty());
    REQUIRE(motions[k].bodies.size() == 1);
    CHECK(motions[k].bodies[0].name == "\"stone\"");
    CHECK(motions[k].bodies[0].how == expected[k]);
  }
}

TEST_CASE("a screw turns and moves along its axis by its pitch") {
  Model model;
  const BodyId nut = model.add(Body{.name = "nut", .position = {{0.0, 0.0, 0.5}}});
  model.add(joint_at<CylindricalJoint>(model, ground, nut, {.axis = Vec3::Unit(2)}, "tube"));
  model.add(Screw{.bodies = {ground, nut}, .pitch = 0.1, .name = "thread"});
  const std::vector<NamedMotion> motions = motions_of(model, 1);
  REQUIRE(motions.size() == 1);
  CHECK(joints_in_words(motions[0], 2).starts_with("\"tube\" turns 1 rad/s, \"tube\" slides 0.0159 m/s"));
  CHECK(bodies_in_words(motions[0], 1) ==
        "\"nut\" turns about z at \"tube\", 1 rad/s, and moves 0.0159 m/s along it");
}

TEST_CASE("long mechanisms are cut short, with a count of what is left out") {
  Model model;
  BodyId before = ground;
  for (int k = 0; k < 6; ++k) {
    const BodyId body = model.add(
        Body{.name = "bar " + std::to_string(k), .position = {{static_cast<double>(k) + 0.5, 0.0, 0.0}}});
    model.add(joint_at<RevoluteJoint>(model, before, body,
                                      {.point = {{static_cast<double>(k), 0.0, 0.0}}, .axis = Vec3::Unit(1)},
                                      "hinge " + std::to_string(k)));
    before = body;
  }
  const std::vector<NamedMotion> motions = motions_of(model, 6);
  REQUIRE(motions.size() == 6);
  CHECK(joints_in_words(motions[0], 2) == "\"hinge 0\" turns 1 rad/s");
  CHECK(bodies_in_words(motions[0], 1) == "\"bar 0\" turns about y at \"hinge 0\", 1 rad/s and 5 more");
}
