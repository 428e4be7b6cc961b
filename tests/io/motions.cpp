// Points and planar bodies in model files.
#include <catena/io/parts/write_model.hpp>

#include "io/support_models.hpp"

#include <doctest/doctest.h>

#include <string>

using catena::BodyId;
using catena::BodyMotion;
using catena_test::complaints;
using catena_test::read_text;

namespace {

const char* const kinds = R"(
parameters: {J: 0.02 kg m^2}
bodies:
  - {name: bead, mass: 2, motion: point, position: [1, 0, 0], velocity: [0, 1, 2]}
  - {name: bar, mass: 3, motion: planar, normal: [0, 3, 4], inertia: $J}
  - {name: plate, mass: 3, motion: planar, inertia: [1, 1, 1.5]}
  - {name: ball, mass: 1, motion: rigid, solid: {sphere: 0.1}}
  - {name: pellet, motion: point, solid: {sphere: 0.1, density: 1000}}
)";

}  // namespace

TEST_CASE("motion makes points, which have no inertia, and planar bodies, whose inertia is one number") {
  const catena::Model m = read_text(kinds).model;
  CHECK(m.body(BodyId{0}).motion == BodyMotion::point);
  CHECK(m.body(BodyId{0}).inertia(2, 2) == 0.0);
  CHECK(m.body(BodyId{1}).motion == BodyMotion::planar);
  CHECK(m.body(BodyId{1}).inertia(0, 0) == 0.02);
  CHECK(m.body(BodyId{1}).normal[1] == doctest::Approx(0.6).epsilon(1e-15));
  CHECK(m.body(BodyId{2}).normal[2] == 1.0);
  CHECK(m.body(BodyId{2}).inertia(2, 2) == 1.5);
  CHECK(m.body(BodyId{3}).motion == BodyMotion::rigid);
  CHECK(m.body(BodyId{4}).mass == doctest::Approx(4.18879).epsilon(1e-5));
}

TEST_CASE("a written model keeps the motions of its bodies to the bit") {
  const catena::Model before = read_text(kinds).model;
  const catena::Model after = read_text(catena::write_model(before, catena_test::builtin_types())).model;
  REQUIRE(after.body_count() == 5);
  CHECK(catena_test::bits_of(before) == catena_test::bits_of(after));
  for (int k = 0; k < 5; ++k) {
    CHECK(after.body(BodyId{k}).motion == before.body(BodyId{k}).motion);
    for (int i = 0; i < 3; ++i) CHECK(after.body(BodyId{k}).normal[i] == before.body(BodyId{k}).normal[i]);
  }
}

TEST_CASE("keys that do not belong to the motion of a body are refused by its name and line") {
  const auto said = [](const char* body, const char* what) {
    const std::string text = complaints("bodies:\n  - {name: b, " + std::string(body) + "}\n");
    CHECK_MESSAGE(text.find("body \"b\"") != std::string::npos, text);
    CHECK_MESSAGE(text.find(what) != std::string::npos, text);
    CHECK_MESSAGE(text.find("main.yaml:2:") != std::string::npos, text);
  };
  said("mass: 1, motion: point, inertia: [1, 1, 1]", "a point has no inertia: leave the key out");
  said("mass: 1, inertia: [1, 1, 1], normal: [0, 0, 1]",
       "a normal belongs to a planar body: add motion: planar");
  said("mass: 1, inertia: 3", "one number is that of a body with motion: planar");
  said("mass: 1, inertia: [1, 1, 1], motion: plane", "rigid, point or planar belongs here");
  said("mass: 1, motion: planar", "the key \"inertia\" is missing");
  said("mass: 1, motion: planar, inertia: 0.1, velocity: [0, 0, 1]",
       "it moves in a plane, but has 1 m/s along the normal");
}
