// What a model file means.
#include <catena/io/detail/number_with_unit.hpp>
#include <catena/io/parts/write_model.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/marker.hpp>
#include <catena/model/parts/inertia.hpp>
#include <catena/model/parts/orientation.hpp>
#include <catena/problems/helix_chain.hpp>

#include "io/support_models.hpp"
#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace catena;
using namespace catena::detail;
using catena_test::complaints;
using catena_test::read_text;
using catena_test::read_texts;
using catena_test::relative;

namespace {

const char* const ball = "{name: ball, mass: 2, inertia: [1, 2, 2.5]}";

double largest_difference(const Vec3& a, const Vec3& b) {
  const Vec3 d = a - b;
  return std::max({std::abs(d[0]), std::abs(d[1]), std::abs(d[2])});
}

// A user's joint with a listing, and one without.
struct OnPlane {
  static constexpr int rows = 1;
  static constexpr const char* type_name = "on_plane";
  std::array<BodyId, 1> bodies{};
  Vec3 point = Vec3::Zero();
  double height = 0.0;
  std::string name = {};
  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& a, const S&) const {
    return {{a.point(point)[2] - height}};
  }
};
void visit(ElementVisitor& v, OnPlane& e) {
  v.bodies({"bodies", "", "the body"}, e.bodies.data(), 1);
  v.vector({"point", "m", "body frame"}, e.point);
  v.real({"height", "m", "of the plane"}, e.height);
  v.text({"name", "", "for messages"}, e.name);
}
struct Unlisted {
  static constexpr int rows = 1;
  std::array<BodyId, 1> bodies{};
  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& a, const S&) const {
    return {{a.x[2]}};
  }
};

}  // namespace

TEST_CASE("numbers count in the unit of their key, and units are converted with one rounding error") {
  CHECK(parse_quantity("12", "kg").value == 12.0);
  CHECK(parse_quantity("250 mm", "m").value == 0.25);
  CHECK(parse_quantity("0.1 mm", "m").value == 0.1 / 1000.0);
  CHECK(parse_quantity("-9.81 m/s^2", "m/s^2").value == -9.81);
  CHECK(parse_quantity("3 N*s/m", "N s/m").value == 3.0);
  CHECK(parse_quantity("2 kg/s", "N s/m").value == 2.0);  // the same measure
  CHECK(parse_quantity("7 g cm^2", "kg m^2").value == relative(7e-7, 1e-15));
  CHECK(parse_quantity("180 deg", "rad").value == std::numbers::pi);
  CHECK(parse_quantity("60 rpm", "rad/s").value == relative(2.0 * std::numbers::pi, 1e-15));
  CHECK(parse_quantity("1e3 kN/m", "N/m").value == 1e6);
  CHECK(parse_quantity("2 N/mm", "N/m").value == 2000.0);  // a fraction of a unit below the line
  CHECK(parse_quantity("1 m^10", "m").error == "a unit's power is a whole number from -9 to 9: \"m^10\"");
  CHECK(parse_quantity("+.5", "1").value == 0.5);
  CHECK(std::signbit(parse_quantity("-0", "m").value));
  CHECK(parse_quantity("5e-324", "m").value == 5e-324);
  CHECK(parse_quantity("1e-999 m", "m").value == 0.0);  // as near as a number comes
  CHECK(parse_quantity("1e-999 m", "m").error == "");
  for (const char* text :
       {"", "m", "1 m 2", "1 m^", "1 m^0", "1 /", "1 m//s", "0x10", "1,5", "1e", "--1", "1 rad"}) {
    CAPTURE(text);
    CHECK(parse_quantity(text, "m").error != "");
  }
  // A power may follow its unit directly.
  CHECK(parse_quantity("7.85 g/cm3", "kg/m^3").value == parse_quantity("7.85 g/cm^3", "kg/m^3").value);
  CHECK(parse_quantity("7.85 g/cm3", "kg/m^3").value == relative(7850.0, 1e-15));
  CHECK(parse_quantity("7850 kg/m3", "kg/m^3").value == 7850.0);
  CHECK(parse_quantity("2 kg m2", "kg m^2").value == 2.0);
  CHECK(parse_quantity("1 m10", "m").error == "a unit's power is a whole number from -9 to 9: \"m10\"");
  CHECK(parse_quantity("1 in", "m").value == 0.0254);
  CHECK(parse_quantity("1 ft", "m").value == 0.3048);
  CHECK(parse_quantity("12 in", "m").value == parse_quantity("1 ft", "m").value);
  CHECK(parse_quantity("1 lb", "kg").value == 0.45359237);
  CHECK(parse_quantity("1 lbf", "N").value == 4.4482216152605);  // exactly
  CHECK(parse_quantity("1 lbf/in", "N/m").value == relative(175.12683524647636, 1e-15));
  CHECK(parse_quantity("1 lb", "N").error == "needs the unit N, has \"lb\"");  // a mass
  CHECK(parse_quantity("90 deg/s", "rad/s").value == std::numbers::pi / 2.0);
  CHECK(parse_quantity("1 Hz", "rad/s").error ==
        "needs the unit rad/s, has \"Hz\"");  // angles are no pure numbers
}

TEST_CASE("units are read as they are spelled in print and in words") {
  CHECK(parse_quantity("7.85 g/cm\u00b3", "kg/m^3").value == 7850.0);
  CHECK(parse_quantity("1 kg\u00b7m\u00b2", "kg m^2").value == 1.0);
  CHECK(parse_quantity("90 \u00b0", "rad").value == parse_quantity("90 deg", "rad").value);
  CHECK(parse_quantity("5 \u00b5m", "m").value == 5e-6);
  CHECK(parse_quantity("5 \u03bcm", "m").value == 5e-6);
  CHECK(parse_quantity("10 inches", "m").value == 0.254);
  CHECK(parse_quantity("10 feet/sec", "m/s").value == 3.048);
  CHECK(parse_quantity("2 lbs", "kg").value == parse_quantity("2 lb", "kg").value);
  CHECK(parse_quantity("1 kg/m^\u00b3", "kg/m^3").error.empty());
  CHECK(parse_quantity("1 m\u00b3\u00b2", "m").error ==
        "a unit's power is a whole number from -9 to 9: \"m\u00b3\u00b2\"");
}

TEST_CASE("every unit of the listing is known by its own name") {
  for (const UnitName& unit : unit_names()) {
    CAPTURE(unit.name);
    CHECK(parse_quantity("3 " + std::string(unit.name), unit.name).value == relative(3.0, 1e-15));
  }
}

TEST_CASE("a body has the values of its keys") {
  const ModelFile file = read_text(R"(
gravity: [0, 0, -9.81 m/s^2]
bodies:
  - name: "b:1"
    mass: 500 g
    inertia: [[2, 0.1, 0], [0.1, 2, 0], [0, 0, 3]]
    position: [1 cm, -2, 3]
    orientation: [0.6, 0, 0.8, 0]
    velocity: [0, 1, 0]
    angular_velocity: [1 rpm, 0, 0]
  - {mass: 1, inertia: {moments: [1, 2, 2.5], axes: {axis: [0, 0, 2], angle: 90 deg}}}
  - {name: wall, fixed: true, position: [0, 5, 0]}
)");
  const Model& m = file.model;
  REQUIRE(m.body_count() == 3);
  CHECK(m.gravity[2] == -9.81);
  const Body& b = m.body(BodyId{0});
  CHECK(b.name == "b:1");
  CHECK(b.mass == 0.5);
  CHECK(b.inertia(1, 0) == 0.1);
  CHECK(b.position[0] == 0.01);
  CHECK(b.orientation.y == relative(0.8, 1e-15));
  CHECK(b.velocity[1] == 1.0);
  CHECK(b.angular_velocity[0] == relative(std::numbers::pi / 30.0, 1e-15));
  CHECK(m.body(BodyId{1}).name == "body 1");
  CHECK(m.body(BodyId{1}).inertia(0, 0) == relative(2.0, 1e-14));  // moments 1 and 2 have changed places
  CHECK(m.body(BodyId{1}).inertia(1, 1) == relative(1.0, 1e-14));
  CHECK(m.body(BodyId{2}).fixed);
}

TEST_CASE("the forms of an orientation agree") {
  const auto orientation = [](const std::string& form) {
    return read_text("bodies: [{mass: 1, inertia: [1, 1, 1], orientation: " + form + "}]")
        .model.body(BodyId{0})
        .orientation;
  };
  const Quat q = orientation("{axis: [0, 0, 3], angle: 90 deg}");
  const double h = std::sqrt(0.5);
  CHECK(q.w == relative(h, 1e-15));
  CHECK(q.z == relative(h, 1e-15));
  for (const char* form : {"{matrix: [[0, -1, 0], [1, 0, 0], [0, 0, 1]]}",
                           "{sequence: zxz, angles: [30 deg, 0, 1.0471975511965976]}",
                           "{sequence: ZYX, angles: [1.5707963267948966, 0, 0]}"}) {
    CAPTURE(form);
    const Quat other = orientation(form);
    CHECK(other.w == relative(h, 1e-14));
    CHECK(other.z == relative(h, 1e-14));
  }
}

TEST_CASE("an axis is three numbers or its letter, with a sign or without") {
  const auto written = [](const char* z_down, const char* z, const char* y_down, const char* x) {
    return write_model(
        read_text(std::string("bodies:\n  - {name: a, mass: 1, inertia: [1, 1, 1], ") +
                  "orientation: {axis: " + z_down + ", angle: 90 deg}}\n" +
                  "  - {name: b, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}\n" +
                  "joints:\n  - {type: universal, bodies: [ground, a], axis_a: x, axis_b: " + z + "}\n" +
                  "  - {type: prismatic, bodies: [a, b], at: [1, 0, 0], axis: " + y_down + ", side: " + x +
                  "}\n")
            .model,
        catena_test::builtin_types());
  };
  CHECK(written("-z", "z", "-y", "x") == written("[0, 0, -1]", "[0, 0, 1]", "[0, -1, 0]", "[1, 0, 0]"));
  CHECK(written("-z", "z", "y", "x") != written("-z", "z", "-y", "x"));
  CHECK(written("-z", "z", "-y", "z") != written("-z", "z", "-y", "x"));
  const auto sides = [](const char* a, const char* b) {
    return write_model(
        read_text(std::string("bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]\njoints:\n") +
                  "  - {type: prismatic, bodies: [ground, a], side_a: " + a + ", side_b: " + b + "}\n")
            .model,
        catena_test::builtin_types());
  };
  CHECK(sides("-y", "-y") == sides("[0, -1, 0]", "[0, -1, 0]"));
  CHECK(sides("x", "x") == sides("[1, 0, 0]", "[1, 0, 0]"));
}

TEST_CASE("one frame in the world gives a universal joint its first axis and, as its side, the second") {
  const Model model = read_text(R"(
bodies:
  - {name: rod, mass: 1, inertia: [1, 1, 1], position: [0.3, 0, 0.4], orientation: {axis: y, angle: 36 deg}}
joints:
  - {type: universal, bodies: [ground, rod], at: [0.1, 0, 0.2], axis: x, side: y}
)")
                          .model;
  model.check_initial_positions();
  const auto joint = joint_at<UniversalJoint>(
      model, ground, BodyId{0}, {.point = {{0.1, 0.0, 0.2}}, .axis = Vec3::Unit(0), .side = Vec3::Unit(1)});
  CHECK(largest_difference(joint.axis_a, Vec3::Unit(0)) < 1e-15);
  CHECK(largest_difference(Vec3(rotation_matrix(model.body(BodyId{0}).orientation) * joint.axis_b),
                           Vec3::Unit(1)) < 1e-15);
}

TEST_CASE("an angular velocity along world axes is turned into the body") {
  const ModelFile file = read_text(
      "bodies: [{mass: 1, inertia: [1, 1, 1], orientation: {axis: [0, 0, 1], angle: 90 deg}, "
      "angular_velocity: {world: [0, 2, 0]}}]");
  CHECK(largest_difference(file.model.body(BodyId{0}).angular_velocity, {{2.0, 0.0, 0.0}}) < 1e-15);
}

TEST_CASE("solids weigh what they should") {
  const Model m = read_text(R"(
bodies:
  - {name: box, solid: {box: [0.4, 0.1, 0.1], density: 1000 kg/m^3}}
  - {name: ball, mass: 3, solid: {sphere: 20 cm}}
  - {name: rod, solid: {cylinder: 2, radius: 0.1, axis: x, density: 10}}
)")
                      .model;
  CHECK(m.body(BodyId{0}).mass == relative(4.0, 1e-15));
  CHECK(m.body(BodyId{0}).inertia(1, 1) == relative(4.0 * (0.16 + 0.01) / 12.0, 1e-14));
  CHECK(m.body(BodyId{1}).inertia(2, 2) == relative(0.4 * 3.0 * 0.04, 1e-14));
  const double mass = 10.0 * std::numbers::pi * 0.01 * 2.0;
  CHECK(m.body(BodyId{2}).mass == relative(mass, 1e-14));
  CHECK(m.body(BodyId{2}).inertia(0, 0) == relative(0.5 * mass * 0.01, 1e-14));
}

TEST_CASE("a chain by repeat is the helix chain of the catalog") {
  const ModelFile file = read_text(R"(
gravity: [0, 0, -9.81]
repeat:
  count: 400
  body: {name: "link {i}", solid: {box: [0.4, 0.1, 0.1], density: 1000 kg/m^3}, position: [0.2, 0, 0]}
  step: {rotate: {sequence: xzx, angles: [1.8 deg, 3.6 deg, 0]}}
  first: {type: spherical, name: "joint {i}", point_b: [-0.2, 0, 0]}
  joint: {type: spherical, name: "joint {i}", point_a: [0.2, 0, 0], point_b: [-0.2, 0, 0]}
)");
  const Model& m = file.model;
  const Model known = HelixChain(HelixChainParameters{.n = 400}).model();
  REQUIRE(m.body_count() == 400);
  REQUIRE(m.constraints().size() == 400);
  for (int b = 0; b < 400; ++b) {
    const Body &x = m.body(BodyId{b}), &y = known.body(BodyId{b});
    CHECK(x.name == y.name);
    CHECK(x.mass == relative(y.mass, 1e-14));
    // Roundoff of 400 rotations, on a chain of 160 m.
    CHECK(largest_difference(x.position, y.position) < 400 * 160 * 3e-16);
  }
  for (int c = 0; c < 400; ++c)
    CHECK(m.constraint_label(ConstraintId{c}) == known.constraint_label(ConstraintId{c}));
}

TEST_CASE("steps along the axes of the world place spokes, and velocities turn with them") {
  const Model m = read_text(R"(
repeat:
  count: 4
  body: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0], velocity: [0, 1, 0], angular_velocity: [0, 0, 3]}
  step: {axes: world, rotate: {axis: [0, 0, 1], angle: 90 deg}}
  force: {type: torque, torque: [0, 0, 1]}
)")
                      .model;
  CHECK(largest_difference(m.body(BodyId{2}).position, {{-1.0, 0.0, 0.0}}) < 1e-15);
  CHECK(largest_difference(m.body(BodyId{2}).velocity, {{0.0, -1.0, 0.0}}) < 1e-15);
  CHECK(m.body(BodyId{3}).angular_velocity[2] == 3.0);
  CHECK(m.forces().size() == 4);  // one-body elements act on each
}

TEST_CASE(
    "a turn along the axes of the world is applied after that of the body, along those of the body before "
    "it") {
  const auto second = [](const std::string& axes) {
    return read_text(R"(
repeat:
  count: 2
  body: {mass: 1, inertia: [1, 1, 1], orientation: {axis: [1, 0, 0], angle: 90 deg}}
  step: {axes: )" + axes +
                     R"(, translate: [1, 0, 0], rotate: {axis: [0, 0, 1], angle: 90 deg}}
)")
        .model.body(BodyId{1})
        .orientation;
  };
  const Vec3 z = Vec3::Unit(2);
  CHECK(largest_difference(rotation_matrix(second("world")) * z, {{1.0, 0.0, 0.0}}) < 1e-15);
  CHECK(largest_difference(rotation_matrix(second("body")) * z, {{0.0, -1.0, 0.0}}) < 1e-15);
}

TEST_CASE("first and last tie a chain to other bodies") {
  const Model m = read_text(R"(
bodies: [{name: post, mass: 1, inertia: [1, 1, 1], position: [-1, 0, 0]}]
repeat:
  count: 3
  body: {name: "link {i}", mass: 1, inertia: [1, 1, 1]}
  step: {translate: [1, 0, 0]}
  joint: {type: distance, length: 1}
  first: {type: distance, name: begin, to: post, length: 1}
  last:
    - {type: spherical, name: "end {i}", point_b: [2, 0, 0]}
    - {type: point_force, force: [0, 0, 1 N]}
)")
                      .model;
  CHECK(m.constraints().size() == 4);
  CHECK(m.constraint_label(ConstraintId{0}) == "joint \"begin\" (distance)");
  CHECK(m.constraint_label(ConstraintId{3}) == "joint \"end 3\" (spherical)");
  const ElementPool& pool = *m.pools()[0];
  CHECK(pool.body(0, 0) == BodyId{0});
  CHECK(pool.body(0, 1) == BodyId{1});
  CHECK(pool.body(2, 0) == BodyId{2});
  CHECK(pool.body(2, 1) == BodyId{3});
  CHECK(m.forces().size() == 1);
}

TEST_CASE("a grid joins neighbours along every direction, or along one") {
  const Model m = read_text(R"(
grid:
  count: [3, 2, 2]
  body: {name: "k {i} {j} {k}", mass: 1, inertia: [1, 1, 1]}
  step: [{translate: [1, 0, 0]}, {translate: [0, 1, 0]}, {translate: [0, 0, 1]}]
  joint: {type: distance, name: "rod {i} {j} {k}", along: 1, length: 1}
  force: {type: spring_damper, stiffness: 1 N/m}
)")
                      .model;
  CHECK(m.body_count() == 12);
  CHECK(m.constraints().size() == 2 * 2 * 2);         // (3 - 1) 2 2 along the rows
  CHECK(m.forces().size() == 8 + 3 * 1 * 2 + 3 * 2);  // and along columns and layers
  const Body& corner = m.body(m.find_body("k 3 2 2"));
  CHECK(largest_difference(corner.position, {{2.0, 1.0, 1.0}}) == 0.0);
}

TEST_CASE("included files come first, and the including file decides") {
  const ModelFile file = read_texts({{"main.yaml",
                                      "include: [parts/a.yaml]\ngravity: [0, 0, -1]\ntitle: whole\n"
                                      "joints: [{type: spherical, bodies: [ground, ball]}]\n"},
                                     {"parts/a.yaml", "title: part\ngravity: [0, 0, -2]\ninclude: b.yaml\n"},
                                     {"parts/b.yaml", "bodies: [" + std::string(ball) + "]\n"}});
  CHECK(file.title == "whole");
  CHECK(file.model.gravity[2] == -1.0);
  CHECK(file.model.body_count() == 1);
  CHECK(file.files() == std::vector<std::string>{"main.yaml", "parts/a.yaml", "parts/b.yaml"});
}

TEST_CASE("project moves bodies onto their joints and says how far") {
  const ModelFile file = read_text(R"(
project: true
bodies: [{name: ball, mass: 2, inertia: [1, 2, 2.5], position: [1.1, 0, 0], velocity: [1, 1, 0]}]
joints: [{type: distance, bodies: [ground, ball], length: 1}]
)");
  CHECK(file.assembled);
  REQUIRE(file.assembly.moves.size() == 1);
  CHECK(file.assembly.moves[0].distance == relative(0.1, 1e-12));
  const Body& b = file.model.body(BodyId{0});
  CHECK(norm(b.position) == relative(1.0, 1e-12));
  CHECK(std::abs(dot(b.velocity, b.position)) < 1e-12);
  CHECK(b.velocity[1] == relative(1.0, 1e-12));
}

TEST_CASE("a user's joint with a listing works in a file, and one without is refused by name") {
  Catalog catalog = builtin();
  catalog.add<OnPlane>("mine").add<Unlisted>("bare");
  const ElementTypes types = catalog.element_types();
  const ModelFile file = read_text(
      "bodies: [" + std::string(ball) +
          "]\njoints: [{type: mine, name: floor, bodies: ball, point: [0, 0, 10 cm], height: 100 mm}]\n",
      types);
  CHECK(file.model.constraint_label(ConstraintId{0}) == "joint \"floor\" (on_plane)");
  CHECK_THROWS_WITH_AS(
      read_text("bodies: [" + std::string(ball) + "]\njoints: [{type: bare, bodies: ball}]\n", types),
      "main.yaml:2:17: joint (bare): this type has no listing of its members, so that a file cannot hold it",
      ModelFileError);
}

TEST_CASE("what follows from one mistake is not reported again") {
  CHECK(complaints("bodies: [{name: a, mas: 1}]\njoints: [{type: spherical, bodies: [ground, a]}]\n") ==
        "main.yaml:1:20: body \"a\": unknown key \"mas\" (did you mean \"mass\"?)");
  CHECK(complaints("include: gone.yaml\njoints: [{type: spherical, bodies: [ground, a]}]\n") ==
        "main.yaml:1:10: include: gone.yaml: there is no such file");
}

TEST_CASE("limits of bodies hold for lists, chains and nets") {
  const ReadLimits limits{.bodies = 5};
  for (const char* text :
       {"repeat: {count: 6, body: {mass: 1, inertia: [1, 1, 1]}, step: {translate: [1, 0, 0]}}",
        "grid: {count: [3, 2], body: {mass: 1, inertia: [1, 1, 1]}, step: [{translate: [1, 0, 0]}, "
        "{translate: [0, 1, 0]}]}",
        "bodies: [{}, {}, {}, {}, {}, {}]"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(read_texts({{"main.yaml", text}}, catena_test::builtin_types(), limits), ModelFileError);
  }
}

TEST_CASE("aliases are what they name") {
  const Model m = read_text(R"(
bodies:
  - {name: a, mass: &m 3, inertia: &j [1, 1, 1]}
  - {name: b, mass: *m, inertia: *j}
)")
                      .model;
  CHECK(m.body(BodyId{1}).mass == 3.0);
  CHECK(m.body(BodyId{1}).inertia(2, 2) == 1.0);
}
