// Mechanisms that a user writes on the first day, from model files through whole runs.
#include <catena/math/rotation.hpp>

#include "support/relative.hpp"
#include "support/text_models.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace catena;
using catena_test::run_text;
using catena_test::with_model_files;

namespace first_mechanisms_tests {
namespace {

Record run_of(const std::string& text, const std::string& stepper) {
  return run_text(text, {.stepper = stepper});
}

bool is_known(const std::string& stepper) {
  const auto& all = with_model_files().steppers();
  return std::any_of(all.begin(), all.end(),
                     [&](const StepperEntry& entry) { return entry.name == stepper; });
}

bool has(const Record& record, RemarkKey key) {
  for (const Remark& remark : record.report.run.remarks)
    if (remark.key == key) return true;
  return false;
}

// A four-bar of hinges in a plane that is turned by `tilt` about two axes, whose crank turns at first.
std::string tilted_four_bar(double tilt, double speed) {
  const Mat3 R = rotation_matrix(normalized(Quat{1.0, 0.3 * tilt, -0.4 * tilt, 0.2 * tilt}));
  const auto vector = [&](double x, double y, double z) {
    const Vec3 v = R * Vec3{{x, y, z}};
    return fmt::format("[{}, {}, {}]", v[0], v[1], v[2]);
  };
  const double x[5] = {0.0, 0.0, 0.5, 0.6, 0.6},
               y[5] = {0.0, 0.2, 0.5, 0.0, 0.0};  // of the hinges A, B, C, D
  std::string text =
      fmt::format("gravity: [0, 0, -9.81]\nassemble: true\ninitial: {{A: {{speed: {}}}}}\nbodies:\n", speed);
  const char* const body[3] = {"crank", "coupler", "rocker"};
  for (int k = 0; k < 3; ++k)
    text += fmt::format("  - {{name: {}, mass: {}, inertia: [0.05, 0.05, 0.05], position: {}}}\n", body[k],
                        k + 1, vector(0.5 * (x[k] + x[k + 1]), 0.5 * (y[k] + y[k + 1]), 0.0));
  text += "joints:\n";
  const char* const between[4] = {"ground, crank", "crank, coupler", "coupler, rocker", "ground, rocker"};
  for (int k = 0; k < 4; ++k)
    text +=
        fmt::format("  - {{type: revolute, name: {}, bodies: [{}], at: {}, axis: {}}}\n",
                    static_cast<char>('A' + k), between[k], vector(x[k], y[k], 0.0), vector(0.0, 0.0, 1.0));
  return text + "run: {step: 1 ms, end: 20 ms}\n";
}

// Driven, with one redundant row: its plane is held twice.
std::string slider_crank(const std::string& end) {
  return "gravity: [0, -9.81, 0]\nassemble: true\n"
         "bodies:\n"
         "  - {name: crank, mass: 1, inertia: [0.001, 0.004, 0.004], position: [0.1, 0, 0]}\n"
         "  - {name: rod, mass: 2, inertia: [0.001, 0.05, 0.05], position: [0.45, 0, 0]}\n"
         "  - {name: slider, mass: 3, inertia: [0.01, 0.01, 0.01], position: [0.7, 0, 0]}\n"
         "joints:\n"
         "  - {type: revolute, name: shaft, bodies: [ground, crank], point_b: [-0.1, 0, 0]}\n"
         "  - {type: revolute, name: pin, bodies: [crank, rod], point_a: [0.1, 0, 0], point_b: [-0.25, 0, "
         "0]}\n"
         "  - {type: spherical, name: wrist, bodies: [rod, slider], point_a: [0.25, 0, 0]}\n"
         "  - {type: prismatic, name: rail, bodies: [ground, slider], axis_a: x, axis_b: x}\n"
         "  - {type: drive, name: motor, joint: shaft, target: {type: polynomial, coefficients: [0, 10, "
         "3]}}\n"
         "run: {step: 1 ms, end: " +
         end + "}\n";
}

// A shaft that is driven on a hinge about y.
std::string driven_shaft(const std::string& drives) {
  return "bodies: [{name: a, mass: 1, inertia: [0.1, 0.1, 0.1]}]\n"
         "joints:\n"
         "  - {type: revolute, name: h, bodies: [ground, a], at: [0, 0, 0], axis: y}\n" +
         drives + "run: {end: 1 s}\n";
}

}  // namespace

TEST_CASE("a four-bar of hinges starts with a speed, however it lies in space") {
  for (const double tilt : {0.0, 0.7, 1.3, 2.1})
    for (const double speed : {1.0, 3.0, 4.5}) {
      CAPTURE(tilt);
      CAPTURE(speed);
      const Record record = run_of(tilted_four_bar(tilt, speed), "generalized_alpha");
      CHECK_MESSAGE(record.ok(), record.report.error, record.report.run.message);
    }
}

// Exact: the shaft is driven, and the energy of all bodies is known from one Runge-Kutta run with a small tolerance.
TEST_CASE("a driven slider-crank with a redundant row runs with every implicit default") {
  const std::string text = slider_crank("50 ms");
  const Record exact = run_of(text, "dop853");
  REQUIRE(exact.ok());
  for (const char* stepper : {"generalized_alpha", "hht", "newmark", "lie_dae"}) {
    CAPTURE(stepper);
    const Record record = run_of(text, stepper);
    CHECK_MESSAGE(record.ok(), record.report.run.message);
    for (std::size_t k = 0; k < record.state.q.size(); ++k)
      CHECK(std::abs(record.state.q[k] - exact.state.q[k]) <= 1e-5);
  }
}

TEST_CASE("a drive by a smooth step comes to rest without a remark on rows that jump") {
  for (const char* span : {"start: 0.2 s, end: 0.7 s", "start: 0 s, end: 0.5 s"})
    for (const char* stepper : {"dormand_prince", "dop853"}) {
      CAPTURE(span);
      CAPTURE(stepper);
      const Record record =
          run_of(driven_shaft(fmt::format(
                     "  - {{type: drive, name: d, joint: h, target: {{type: step, to: 1, {}}}}}\n", span)),
                 stepper);
      CHECK_MESSAGE(record.ok(), record.report.run.message);
    }
}

// 1 kg, a triangle of 100 N and 0.9 s: 45 m/s.
TEST_CASE("steps that a method chooses do not pass over a pulse of a force") {
  const std::string text =
      "bodies: [{name: a, mass: 1, inertia: [0.1, 0.1, 0.1]}]\n"
      "forces:\n"
      "  - {type: varying_force, bodies: a, force: [1, 0, 0],\n"
      "     factor: {type: table, x: [0, 5, 5.5, 5.9, 6], y: [0, 0, 100, 0, 0], spline: linear, beyond: "
      "hold}}\n"
      "run: {end: 10 s, step: 10 ms}\n";
  for (const char* stepper : {"radau", "dop853", "dormand_prince", "lie_bdf", "ida"}) {
    CAPTURE(stepper);
    if (!is_known(stepper)) continue;  // a build without SUNDIALS
    const Record record = run_of(text, stepper);
    REQUIRE(record.ok());
    CHECK(record.state.v[0] == catena_test::relative(45.0, 1e-4));
    CHECK_FALSE(has(record, RemarkKey::standstill));
  }
}

TEST_CASE("velocities that two hinges on one axis do not allow are moved, and the run says so") {
  const std::string text =
      "bodies:\n"
      "  - {name: rod, mass: 2, inertia: [0.2, 0.2, 0.01], position: [0.6, 0, 0], velocity: [0, 3, 0]}\n"
      "joints:\n"
      "  - {type: revolute, name: hinge, bodies: [ground, rod], at: [0, 0, 0], axis: y}\n"
      "  - {type: revolute, name: hinge2, bodies: [ground, rod], at: [0, 1, 0], axis: y}\n"
      "run: {end: 0.1}\n";
  for (const char* stepper : {"generalized_alpha", "dormand_prince", "radau", "lie_bdf"}) {
    CAPTURE(stepper);
    const Record record = run_of(text, stepper);
    REQUIRE_MESSAGE(record.ok(), record.report.run.message);
    const std::vector<Remark>& notices = record.report.notices;
    const auto moved = std::find_if(notices.begin(), notices.end(),
                                    [](const Remark& r) { return r.key == RemarkKey::initial_velocities; });
    REQUIRE(moved != notices.end());
    CHECK(moved->culprit.name.starts_with("joint \"hinge"));
    CHECK(std::abs(moved->culprit.value) == doctest::Approx(3.0));
    CHECK(std::abs(record.state.v[1]) < 1e-12);
  }
}

TEST_CASE("drives that contradict each other in their rates are both named before any step") {
  const Record record =
      run_of(driven_shaft(
                 "  - {type: drive, name: d1, joint: h, target: {type: polynomial, coefficients: [0, 1]}}\n"
                 "  - {type: drive, name: d2, joint: h, target: {type: polynomial, coefficients: [0, 2]}}\n"),
             "generalized_alpha");
  CHECK(record.report.run.status == Status::inconsistent_start);
  CHECK(record.report.run.steps == 0);
  for (const char* name : {"d1", "d2"}) CHECK(record.report.run.message.find(name) != std::string::npos);
}

TEST_CASE("a run that a drive moves, and that ends before it does, is not said to stay at rest") {
  const Record record = run_of(
      driven_shaft(
          "  - {type: drive, name: d, joint: h, target: {type: ramp, to: 1, start: 0.2 s, end: 0.7 s}}\n"),
      "generalized_alpha");
  CHECK(record.report.run.status == Status::unstable);  // at the kink
  CHECK_FALSE(has(record, RemarkKey::standstill));
}

// Nothing is left to the method but the drive: local errors vanish, and steps of 0.1 s are too long for the power.
TEST_CASE("work that long steps do not resolve is said to be unknown") {
  const std::string text = slider_crank("1 s");
  std::string fast = text;
  fast.replace(fast.find("[0, 10, 3]"), 10, "[0, 60, 3]");  // more than a turn within a step
  const Record coarse = run_of(fast, "radau");
  REQUIRE(coarse.report.run.status == Status::ok);
  const Record fine = run_of(text, "generalized_alpha");
  CHECK(fine.report.run.status == Status::ok);
  CHECK_FALSE(has(fine, RemarkKey::work));
  CHECK(has(coarse, RemarkKey::work));
}

}  // namespace first_mechanisms_tests
