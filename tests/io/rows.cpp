// Joints of named rows and couplings in model files: read, evaluated, written and read again.
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/io/parts/write_model.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/parts/rows_joint.hpp>
#include <catena/model/rows/named.hpp>
#include <catena/solvers/generalized_alpha.hpp>

#include "io/support_models.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace rows_in_files {
using namespace catena;
using catena_test::bits_of;
using catena_test::builtin_types;
using catena_test::complaints;

// Joints may be open: their rows are compared.
ModelFile read_joints(const std::string& text) {
  return catena_test::read_texts({{"main.yaml", text}}, builtin_types(), {.open_joints = true});
}

const char* const two_bodies = R"(
bodies:
  - {name: a, mass: 1, inertia: [1, 1, 1], position: [0.1, 0.2, 0.3], orientation: {axis: [1, 2, 3], angle: 50 deg}}
  - {name: b, mass: 2, inertia: [1, 2, 2], position: [0.4, -0.2, 1], orientation: {axis: [0, 1, 3], angle: -20 deg}}
  - {name: c, mass: 2, inertia: [1, 2, 2], position: [1.4, -0.2, 1]}
  - {name: d, mass: 2, inertia: [1, 2, 2], position: [2.4, -0.2, 1]}
)";

std::string file(const std::string& joint) {
  return std::string(two_bodies) + "joints:\n  - " + joint + "\n";
}

RowsJoint marked(std::vector<std::string> rows) {
  return {.bodies = {BodyId{0}, BodyId{1}},
          .rows = std::move(rows),
          .point_a = {{0.1, 0.2, -0.3}},
          .point_b = {{-0.1, 0.5, 0.7}},
          .axis_a = {{1.0, 0.5, 0.0}},
          .axis_b = {{0.0, 1.0, 0.5}},
          .side_a = {{0.0, 0.0, 1.0}},
          .side_b = {{1.0, 0.0, 0.0}},
          .length = 1.25,
          .displacement = 0.2,
          .speed = -0.1,
          .acceleration = 0.3,
          .angle = 0.4,
          .angular_speed = 0.5,
          .angular_acceleration = -0.6,
          .name = "hip"};
}
std::string marked_in_file(const std::string& rows) {
  return file("{type: rows, name: hip, bodies: [a, b], rows: " + rows +
              ", point_a: [10 cm, 0.2, -0.3], point_b: [-0.1, 0.5, 0.7], axis_a: [1, 0.5, 0], "
              "axis_b: [0, 1, 0.5], side_a: [0, 0, 1], side_b: [1, 0, 0], length: 125 cm, "
              "displacement: 20 cm, speed: -0.1, acceleration: 0.3, angle: 0.4 rad, angular_speed: 0.5, "
              "angular_acceleration: -0.6}");
}

std::vector<double> rows_of(const Model& model) {
  const MultibodySystem system(model);
  std::vector<double> rows(static_cast<std::size_t>(system.layout().lambda_size()));
  Evaluation wanted;
  wanted.position = rows.data();
  system.evaluate(point_of(system.initial_state()), wanted);
  return rows;
}

}  // namespace rows_in_files

using namespace rows_in_files;

TEST_CASE("type: rows takes each primitive, which reads, evaluates and comes back as in C++") {
  const std::pair<const char*, int> primitives[] = {
      {"coincide", 3},      {"on_line", 2}, {"in_plane", 1},     {"distance", 1}, {"parallel", 2},
      {"perpendicular", 1}, {"locked", 3},  {"displacement", 1}, {"angle", 1}};
  for (const std::pair<const char*, int>& primitive : primitives) {
    const char* const name = primitive.first;
    const int count = primitive.second;
    CAPTURE(name);
    Model model = read_joints(std::string(two_bodies)).model;
    model.add(marked({name}));
    const Model read = read_joints(marked_in_file("[" + std::string(name) + "]")).model;
    CHECK(bits_of(read) == bits_of(model));
    const std::vector<double> rows = rows_of(read);
    REQUIRE(rows.size() == static_cast<std::size_t>(count));
    CHECK(rows == rows_of(model));
    double size = 0.0;
    for (const double r : rows) size += std::abs(r);
    CHECK(size > 1e-3);  // open, so that equal rows say something
    const std::string text = write_model(read, builtin_types());
    CHECK(text.find("type: rows") != std::string::npos);
    CHECK(bits_of(read_joints(text).model) == bits_of(read));
  }
}

TEST_CASE("lists of rows keep their order in a file, two lists beside each other too") {
  Model model = read_joints(std::string(two_bodies)).model;
  RowsJoint first = marked({"on_line", "in_plane", "parallel"}), second = marked({"coincide", "locked"});
  second.name = "knee";
  second.bodies = {BodyId{1}, ground};
  model.add(first);
  model.add(second);
  model.add(RevoluteJoint{.bodies = {BodyId{2}, BodyId{3}}});
  const std::string text = write_model(model, builtin_types());
  const Model again = read_joints(text).model;
  CHECK(bits_of(again) == bits_of(model));
  CHECK(rows_of(again) == rows_of(model));
  CHECK(again.constraint_label(ConstraintId{1}) == "joint \"knee\" (rows)");
}

TEST_CASE("couplings read from a file hold as placed, or as the file says") {
  const char* const joints[] = {
      "{type: screw, bodies: [a, b], point_b: [0.1, 0, 0], pitch: 5 mm}",
      "{type: gear, bodies: [a, b, c], axis_1: [0, 1, 1], ratio: -2.5}",
      "{type: rack_and_pinion, bodies: [a, b, c], axis_rack: [0, 1, 1], radius: -3 cm}",
      "{type: differential, bodies: [ground, b, c, d], weights: [2, -0.5, -1.5]}"};
  for (const char* joint : joints) {
    CAPTURE(joint);
    const Model read = read_joints(file(joint)).model;
    const std::vector<double> rows = rows_of(read);
    REQUIRE(rows.size() == 1);
    CHECK(std::abs(rows[0]) < 1e-15);
    CHECK(bits_of(read_joints(write_model(read, builtin_types())).model) == bits_of(read));
  }
  const Model held =
      read_joints(file("{type: gear, bodies: [ground, c, d], ratio: 3, as_placed: false, held: 30 deg}"))
          .model;
  CHECK(rows_of(held)[0] == doctest::Approx(-std::acos(-1.0) / 6.0).epsilon(1e-14));
}

TEST_CASE("a coupling in a file names joints, in one line, and comes back as in C++") {
  const std::string hinges =
      "{type: revolute, name: left, bodies: [a, b], point_b: [0.2, 0, 0], axis_a: [0, 1, 1]}\n"
      "  - {type: cylindrical, name: right, bodies: [a, c], axis_b: [1, 0, 1]}\n  - ";
  const auto read = [&](const std::string& coupling) { return read_joints(file(hinges + coupling)).model; };
  const char* const line =
      "{type: coupling, name: belt, terms: [{joint: left, coefficient: 2.5}, {joint: right, coordinate: "
      "displacement, coefficient: -1}, {joint: right}], as_placed: false, held: 30 mm}";
  Model model = read("{type: distance, bodies: [a, b]}");
  const ConstraintId left = model.find_joint("left"), right = model.find_joint("right");
  const auto expected = [&](double held) {
    Model m = read_joints(file(hinges.substr(0, hinges.size() - 5))).model;
    m.add(JointCoupling{.terms = {{left, JointCoordinate::angle, 2.5},
                                  {right, JointCoordinate::displacement, -1.0},
                                  {right, JointCoordinate::angle, 1.0}},
                        .as_placed = false,
                        .held = held,
                        .name = "belt"});
    return m;
  };
  const Model got = read(line);
  CHECK(bits_of(got) == bits_of(expected(0.03)));
  CHECK(bits_of(got) != bits_of(expected(0.04)));
  CHECK(rows_of(got) == rows_of(expected(0.03)));
  CHECK(std::abs(rows_of(got).back()) > 1e-3);
  const std::string text = write_model(got, builtin_types());
  CHECK(text.find("terms: [{joint: left, coordinate: angle, coefficient: 2.5}, {joint: right, coordinate: "
                  "displacement, "
                  "coefficient: -1}, {joint: right, coordinate: angle, coefficient: 1}]") !=
        std::string::npos);
  CHECK(bits_of(read_joints(text).model) == bits_of(got));
  // As placed the row is closed, and an angle alone is held in radians.
  const Model turning = read("{type: coupling, terms: [{joint: left}, {joint: right, coefficient: -3}]}");
  CHECK(std::abs(rows_of(turning).back()) < 1e-15);
  const Model held = read(
      "{type: coupling, terms: [{joint: left}, {joint: right, coefficient: -3}], as_placed: false, held: 90 "
      "deg}");
  const Model zero =
      read("{type: coupling, terms: [{joint: left}, {joint: right, coefficient: -3}], as_placed: false}");
  CHECK(rows_of(zero).back() - rows_of(held).back() == doctest::Approx(0.5 * std::acos(-1.0)).epsilon(1e-13));
}

TEST_CASE("every list of named rows of two groups is evaluated by compiled functions alone") {
  int lists = 0;
  for (const rows::NamedRows& first : rows::named_rows())
    for (const rows::NamedRows& second : rows::named_rows()) {
      RowsJoint joint = marked({first.name, second.name});
      if (!joint.defect().empty()) continue;
      ++lists;
      Model model = read_joints(std::string(two_bodies)).model;
      model.add(joint);
      for (const Stage& stage : model.pools()[0]->plan().stages) CHECK(stage.function >= 0);
    }
  CHECK(lists == 52);  // of nine groups, five in metres and first: 5 x 4 + 5 x 4 + 4 x 3
}

TEST_CASE("errors in rows and couplings name file, line, column and joint") {
  // Six lines of bodies and the line 'joints:' are before the joint.
  const auto check = [](const char* joint, const std::string& said) {
    CHECK(complaints(file(joint)) == "main.yaml:8:" + said);
  };
  check("{type: rows, name: hip, bodies: [a, b], rows: [coincides]}",
        "52: joint \"hip\" (rows): rows: coincide, on_line, in_plane, distance, displacement, parallel, "
        "perpendicular, locked or angle belongs here, not \"coincides\"");
  check("{type: rows, name: hip, bodies: [a, b], rows: [parallel, coincide]}",
        "5: joint \"hip\" (rows): rows in metres must come first: move \"coincide\" to the front");
  check("{type: rows, name: hip, bodies: [a, b], rows: [locked, locked]}",
        "5: joint \"hip\" (rows): rows names \"locked\" twice");
  check("{type: rows, name: hip, bodies: [a, b]}",
        "5: joint \"hip\" (rows): rows must name at least one group of rows");
  check("{type: gear, name: g, bodies: [a, b]}",
        "35: joint \"g\" (gear): bodies: a list of 3 names of bodies belongs here, not a list of 2");
  check("{type: gear, name: g, bodies: [a, b, c], ratio: 0}",
        "5: joint \"g\" (gear): ratio must not be zero");
  const std::string hinge = "{type: revolute, name: left, bodies: [a, b]}\n  - ";
  const auto check_second = [&](const std::string& coupling, const std::string& said) {
    CHECK(complaints(file(hinge + "{type: coupling, name: c, " + coupling + "}")) == "main.yaml:9:" + said);
  };
  check_second("terms: [{joint: lft}, {joint: left}]",
               "47: joint \"c\" (coupling): terms: there is no joint \"lft\"; did you mean \"left\"?");
  check_second(
      "terms: [{joint: c}, {joint: left}]",
      "47: joint \"c\" (coupling): terms: there is no joint \"c\"; joints are listed before those that name "
      "them");
  check_second("terms: [{joint: left}]",
               "38: joint \"c\" (coupling): terms must be two to four coordinates of joints, are 1");
  check_second(
      "terms: [{joint: left, coordinate: turn}, {joint: left, coordinate: displacement}]",
      "65: joint \"c\" (coupling): terms: coordinate: angle or displacement belongs here, not \"turn\"");
  check_second("terms: [{joint: left, coefficient: two}, {joint: left, coordinate: displacement}]",
               "66: joint \"c\" (coupling): terms: coefficient: \"two\" is not a number");
  check_second("terms: [{joint: left, factor: 2}, {joint: left, coordinate: displacement}]",
               "53: joint \"c\" (coupling): terms: unknown key \"factor\"; known here: joint, coordinate, "
               "coefficient");
  check_second(
      "terms: left",
      "38: joint \"c\" (coupling): terms: a list of {joint, coordinate, coefficient} belongs here, not "
      "\"left\"");
  check_second("held: 2", "5: joint \"c\" (coupling): the key \"terms\" is missing");
  check("{type: screw, name: s, bodies: [a, b], pitch: 3 kg}",
        "51: joint \"s\" (screw): pitch: needs the unit m, has \"kg\"");
}

TEST_CASE("rows of a drive follow their functions of time: a wheel is turned and a slider is pushed") {
  const ModelFile file = catena_test::read_texts({{"main.yaml", R"(
bodies:
  - {name: wheel, mass: 1, inertia: [1, 1, 0.5]}
  - {name: slider, mass: 2, inertia: [1, 2, 2]}
joints:
  - {type: rows, rows: [coincide, parallel, angle], bodies: [ground, wheel], angular_speed: 4, angular_acceleration: 2}
  - {type: rows, rows: [on_line, displacement, locked], bodies: [ground, slider], axis_a: [1, 0, 0], axis_b: [1, 0, 0],
     acceleration: 3}
)"}},
                                                 builtin_types(), {});
  const MultibodySystem system(file.model);
  State s = system.initial_state();
  s.v[5] = 4.0;
  GeneralizedAlpha stepper;
  REQUIRE(run(system, stepper, s, {.step = 1e-3, .end = 3.0}).status == Status::ok);
  const std::vector<RigidBodyState> at = system.bodies(s);
  CHECK(at[0].angular_velocity[2] == doctest::Approx(10.0).epsilon(1e-9));  // 21 rad, more than three turns
  CHECK(at[1].position[0] == doctest::Approx(13.5).epsilon(1e-9));
  CHECK(s.lambda[s.lambda.size() - 4] == doctest::Approx(-6.0).epsilon(1e-6));  // minus the force on 2 kg
}
