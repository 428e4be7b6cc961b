// Mechanisms whose joints hold the directions of a body between them: independent rows run whatever is eliminated first, rows that
// depend on each other have reasons with names.
#include <catena/assembly/multibody_system.hpp>
#include <catena/measure/detail/contradicting_dimensions.hpp>

#include "support/text_models.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

using namespace catena;
using catena_test::run_text;
using catena_test::with_model_files;

namespace joints_that_share_a_body_tests {
namespace {

Record run_of(const std::string& text, const std::string& stepper, const std::string& backend = "",
              const std::string& record = "") {
  return run_text(text, {.stepper = stepper, .backend = backend, .record = record});
}

constexpr const char* three_bodies =
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  - {name: a, mass: 1, inertia: [0.3, 0.4, 0.5]}\n"
    "  - {name: b, mass: 1, inertia: [0.3, 0.4, 0.5], position: [1, 0, 0]}\n"
    "  - {name: c, mass: 1, inertia: [0.3, 0.4, 0.5], position: [2, 0, 0]}\n"
    "joints:\n";

// Body a cannot turn, so that the rate of its hinge is b's alone.
const std::string drive_beside_held_rotations =
    std::string(three_bodies) +
    "  - {type: constant_orientation, name: j1, bodies: [ground, a]}\n"
    "  - {type: revolute, name: j2, bodies: [a, b], at: [0.5, 0, 0], axis: [0, 0, 1]}\n"
    "  - {type: universal, name: j5, bodies: [b, c], at: [1.5, 0, 0], axis: [0, 0, 1], side: [0, 1, 0]}\n"
    "  - {type: drive, name: d, joint: j2, rate: true, target: 0.1}\n"
    "run: {end: 0.1, step: 0.01}\n";
const std::string geared_cylinders =
    std::string(three_bodies) +
    "  - {type: cylindrical, name: j1, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}\n"
    "  - {type: cylindrical, name: j2, bodies: [ground, b], at: [1, 0, 0], axis: [0, 0, 1]}\n"
    "  - {type: weld, name: w, bodies: [b, c], at: [1.5, 0, 0], axis: [0, 0, 1]}\n"
    "  - {type: point_in_plane, name: p, bodies: [ground, c], point_a: [2, 0, 0], axis_a: [0, 0, 1]}\n"
    "  - {type: coupling, name: cp, terms: [{joint: j1}, {joint: j2}]}\n"
    "run: {end: 0.1, step: 0.01}\n";
const std::string point_on_a_line =
    "bodies:\n"
    "  - {name: a, mass: 1, inertia: [0.3, 0.4, 0.5], position: [0.5, 0.1, 0.2]}\n"
    "  - {name: b, mass: 1, inertia: [0.3, 0.4, 0.5], position: [1, 1, 0]}\n"
    "  - {name: c, mass: 1, inertia: [0.3, 0.4, 0.5], position: [1.5, 0, 0.3]}\n"
    "joints:\n"
    "  - {type: spherical, name: j1, bodies: [ground, a], at: [0, 0, 0]}\n"
    "  - {type: constant_orientation, name: j2, bodies: [b, a]}\n"
    "  - {type: revolute, name: j7, bodies: [a, c], at: [1, 0, 0], axis: [0, 0.6, 0.8]}\n"
    "  - {type: point_on_line, name: j8, bodies: [ground, c], point_a: [1.7, 0.3, 0.3], point_b: [0.2, 0.3, "
    "0],"
    " axis_a: [1, 2, 2]}\n"
    "run: {end: 0.1, step: 0.01}\n";

// In the plane x, y. `off`: of the axis of one hinge from z [rad].
std::string four_bar(double off) {
  std::string text = "gravity: [0, -9.81, 0]\nbodies:\n";
  const double x[] = {0.0, 0.0, 2.0, 2.5}, y[] = {0.0, 1.0, 1.5, 0.0};
  for (int k = 0; k < 3; ++k)
    text += fmt::format("  - {{name: link {}, mass: 1, inertia: [0.1, 0.1, 0.1], position: [{}, {}, 0]}}\n",
                        k, 0.5 * (x[k] + x[k + 1]), 0.5 * (y[k] + y[k + 1]));
  text += "joints:\n";
  const char* const body[] = {"ground", "link 0", "link 1", "link 2", "ground"};
  for (int k = 0; k < 4; ++k)
    text += fmt::format(
        "  - {{type: revolute, name: pin {}, bodies: [{}, {}], at: [{}, {}, 0], axis: [{}, 0, 1]}}\n", k,
        body[k], body[k + 1], x[k], y[k], k == 2 ? off : 0.0);
  return text;
}

std::string what_does_not_fit(const std::string& text) {
  const MultibodySystem system(with_model_files().model_from_text(text));
  return detail::contradicting_dimensions_near(system, system.initial_state());
}

}  // namespace

TEST_CASE("independent rows run by the own factorisation as by one that looks for pivots") {
  for (const std::string& text : {drive_beside_held_rotations, geared_cylinders, point_on_a_line})
    for (const char* stepper : {"generalized_alpha", "discrete_action", "alpha_rattle"}) {
      CAPTURE(text);
      CAPTURE(stepper);
      if (std::string(stepper) == "discrete_action" && text == drive_beside_held_rotations)
        continue;  // it takes no rows of velocities
      const Record own = run_of(text, stepper), pivoting = run_of(text, stepper, "klu");
      REQUIRE_MESSAGE(own.ok(), to_text(own.report.run));
      REQUIRE_MESSAGE(pivoting.ok(), to_text(pivoting.report.run));
      REQUIRE(own.state.q.size() == pivoting.state.q.size());
      double largest = 0.0;
      for (std::size_t k = 0; k < own.state.q.size(); ++k)
        largest = std::max(largest, std::abs(own.state.q[k] - pivoting.state.q[k]));
      CHECK(largest < 1e-9);
    }
}

TEST_CASE("what drives the only direction that joints leave drives it") {
  const Record record = run_of(drive_beside_held_rotations, "generalized_alpha");
  REQUIRE(record.ok());
  CHECK(record.state.v[6 + 5] == doctest::Approx(0.1));  // b turns about z
  for (int k = 3; k < 6; ++k) CHECK(std::abs(record.state.v[static_cast<std::size_t>(k)]) < 1e-9);
}

// Hinges whose axes are off by some 1e-10 rad fit where they were assembled, by any point and axis that a file gives. Behind that
// the loop is open by the product of the error and the motion.
TEST_CASE("a loop of hinges that fits at its first positions alone is found") {
  CHECK(what_does_not_fit(four_bar(0.0)).empty());
  for (const double off : {1e-11, 1e-9}) {
    CAPTURE(off);
    const std::string sentence = what_does_not_fit(four_bar(off));
    CHECK(sentence.find("fit at these positions alone: joint \"pin ") != std::string::npos);
    CHECK(sentence.find("all 16 digits") != std::string::npos);
  }
}

TEST_CASE("rows that are independent, and those that depend at one place alone, fit everywhere") {
  // A crank and a rod on a slider, stretched at the first positions.
  for (const char* last : {"spherical", "revolute"}) {
    CAPTURE(last);
    const std::string slider =
        "bodies:\n"
        "  - {name: crank, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0]}\n"
        "  - {name: rod, mass: 1, inertia: [0.1, 0.1, 0.1], position: [2, 0, 0]}\n"
        "  - {name: slider, mass: 1, inertia: [0.1, 0.1, 0.1], position: [3, 0, 0]}\n"
        "joints:\n"
        "  - {type: revolute, name: o, bodies: [ground, crank], at: [0, 0, 0], axis: z}\n"
        "  - {type: spherical, name: p, bodies: [crank, rod], at: [1, 0, 0]}\n"
        "  - {type: " +
        std::string(last) + ", name: q, bodies: [rod, slider], at: [3, 0, 0]" +
        (std::string(last) == "spherical" ? "}\n" : ", axis: z}\n") +
        "  - {type: prismatic, name: s, bodies: [ground, slider], at: [3, 0, 0], axis: x}\n";
    CHECK(what_does_not_fit(slider).empty());
  }
}

TEST_CASE("a run that such a loop ends says so") {
  const Record record = run_of(four_bar(1e-9) + "run: {end: 0.5, step: 1e-3}\n", "rattle");
  REQUIRE_FALSE(record.ok());
  CHECK(record.report.run.message.find("fit at these positions alone") != std::string::npos);
}

// axis_b is along x of the body, which turns about z, the first axis.
TEST_CASE("chosen rows with perpendicular axes have the angle of a universal joint") {
  const Record record = run_of(
      "bodies: [{name: b, mass: 1, inertia: [0.3, 0.4, 0.5], angular_velocity: [0, 0, 0.5]}]\n"
      "joints:\n"
      "  - {type: rows, name: j, bodies: [ground, b], rows: [in_plane, perpendicular], axis_a: [0, 0, 1],"
      " axis_b: [1, 0, 0], side_a: [1, 0, 0], side_b: [0, 0, 1]}\n"
      "run: {end: 1, step: 0.01}\n",
      "generalized_alpha", "", "joints");
  REQUIRE(record.ok());
  CHECK(record.table.last("joints/angle of joint \"j\" (rows)") == doctest::Approx(0.5));
  CHECK(record.table.last("joints/angle_rate of joint \"j\" (rows)") == doctest::Approx(0.5));
}

}  // namespace joints_that_share_a_body_tests
