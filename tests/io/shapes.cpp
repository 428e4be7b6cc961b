// Solids and shapes of bodies in model files.
#include <catena/io/parts/write_model.hpp>

#include "io/support_models.hpp"
#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <numbers>

using catena::BodyId;
using catena::BodyShape;
using catena_test::complaints;
using catena_test::read_text;
using catena_test::relative;

namespace {

const char* const four_shapes = R"(
bodies:
  - {name: a, solid: {box: [1, 2, 3], density: 2}}
  - {name: b, solid: {capsule: 40 cm, radius: 10 cm, axis: x, density: 1000}}
  - {name: c, mass: 3, inertia: [1, 1, 1], shape: {cylinder: 0.3, radius: 0.1, axis: y}}
  - {name: d, mass: 3, inertia: [1, 1, 1], shape: {sphere: 0.1}}
  - {name: e, mass: 3, inertia: [1, 1, 1]}
)";

bool same_shape(const BodyShape& a, const BodyShape& b) {
  return a.kind == b.kind && a.edges[0] == b.edges[0] && a.edges[1] == b.edges[1] &&
         a.edges[2] == b.edges[2] && a.radius == b.radius && a.length == b.length && a.axis == b.axis;
}

}  // namespace

TEST_CASE("a solid and a shape say what a body looks like; a shape changes neither mass nor inertia") {
  const catena::Model m = read_text(four_shapes).model;
  const auto body = [&](int k) { return m.body(BodyId{k}); };
  CHECK(body(0).shape.kind == BodyShape::Kind::box);
  CHECK(body(0).shape.edges[2] == 3.0);
  CHECK(body(0).mass == 12.0);
  CHECK(body(1).shape.kind == BodyShape::Kind::capsule);
  CHECK(body(1).shape.length == 0.4);
  CHECK(body(1).mass == relative(1000.0 * std::numbers::pi * 0.01 * (0.4 + 0.4 / 3.0), 1e-15));
  CHECK(body(1).inertia(0, 0) < body(1).inertia(1, 1));
  CHECK(body(2).shape.kind == BodyShape::Kind::cylinder);
  CHECK(body(2).shape.axis == 1);
  CHECK(body(2).inertia(0, 0) == 1.0);
  CHECK(body(3).shape.kind == BodyShape::Kind::sphere);
  CHECK(body(4).shape.kind == BodyShape::Kind::none);
}

TEST_CASE("a written model keeps its shapes, its numbers to the bit") {
  const catena::Model before = read_text(four_shapes).model;
  const catena::Model after = read_text(catena::write_model(before, catena_test::builtin_types())).model;
  REQUIRE(after.body_count() == 5);
  for (int k = 0; k < 5; ++k) {
    CAPTURE(k);
    CHECK(same_shape(before.body(BodyId{k}).shape, after.body(BodyId{k}).shape));
  }
  CHECK(catena_test::bits_of(before) == catena_test::bits_of(after));
}

TEST_CASE("copies of a repetition have the shape of the first body") {
  const catena::Model m = read_text(
                              "repeat: {count: 2, body: {name: \"b {i}\", mass: 1, inertia: [1, 1, 1], "
                              "shape: {sphere: 2}}, step: "
                              "{translate: [1, 0, 0]}}\n")
                              .model;
  CHECK(m.body(BodyId{1}).shape.radius == 2.0);
}

TEST_CASE("a shape is one shape, without a density, and not beside a solid") {
  const auto said = [](const std::string& keys) {
    return complaints("bodies: [{name: a, mass: 1, inertia: [1, 1, 1], " + keys + "}]\n");
  };
  CHECK(said("shape: {sphere: 1, density: 2}") ==
        "main.yaml:1:68: body \"a\": shape: density: a shape is for pictures alone; a solid has a density");
  CHECK(said("shape: {sphere: 1, box: [1, 1, 1]}") ==
        "main.yaml:1:56: body \"a\": shape: give either box: [x, y, z], or sphere: radius, or cylinder: "
        "length or capsule: length with radius");
  CHECK(said("shape: {capsule: 1}").find("capsule: length with radius") != std::string::npos);
  CHECK(said("shape: {sphere: 1, axis: x}").find("capsule: length with radius") != std::string::npos);
  CHECK(said("shape: {capsule: -1, radius: 1}").find("capsule must be positive, is -1") != std::string::npos);
  CHECK(complaints("bodies: [{name: a, solid: {sphere: 1, density: 1}, shape: {sphere: 1}}]\n") ==
        "main.yaml:1:10: body \"a\": give a solid or a shape, not both");
}
