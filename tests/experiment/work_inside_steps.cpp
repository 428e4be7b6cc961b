// The work at output instants inside the long steps of methods of high order.

#include "support/text_models.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace catena;
using catena_test::run_text;

namespace work_inside_steps_tests {
namespace {

// A point of 1 kg that a force along x pushes from rest.
Record pushed(const std::string& factor, const std::string& stepper, double tolerance) {
  return run_text(
      "bodies: [{name: b, mass: 1, motion: point}]\n"
      "forces:\n"
      "  - {type: varying_force, name: f, bodies: [b], force: [1, 0, 0], factor: " +
          factor + "}\n",
      {.stepper = stepper,
       .step = 0.01,
       .tolerance = tolerance,
       .end = 1.0,
       .every = 1,
       .record = "time,energy,forces"});
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}

}  // namespace

// The velocity is t + t^2 / 2 + t^3 / 3, and a method of order 5 and more makes no error of it: what is off is off by the rules of
// the work, 1e-5 J by the polynomial through five powers of a step.
TEST_CASE("work inside a step is that of the force, by all forces and by each") {
  for (const char* stepper : {"dop853", "dormand_prince", "radau"})
    for (const double tolerance : {1e-6, 1e-10}) {
      CAPTURE(stepper);
      CAPTURE(tolerance);
      const Record record = pushed("{type: polynomial, coefficients: [1, 1, 1]}", stepper, tolerance);
      REQUIRE(record.ok());
      REQUIRE(record.table.rows() == 101);
      const std::vector<double> t = record.table.column("time");
      std::vector<double> exact;
      for (const double s : t) exact.push_back(0.5 * std::pow(s + s * s / 2.0 + s * s * s / 3.0, 2));
      CHECK(largest_difference(record.table.column("energy/kinetic"), exact) < 1e-9);
      CHECK(largest_difference(record.table.column("energy/work forces"), exact) < 1e-9);
      CHECK(largest_difference(record.table.column("forces/work of force \"f\" (varying_force)"), exact) <
            1e-9);
    }
}

TEST_CASE("the balance of energy closes inside steps over a piece of a spline") {
  for (const char* stepper : {"dop853", "dormand_prince"}) {
    CAPTURE(stepper);
    const Record record = pushed(
        "{type: table, x: [-0.5, 0.1, 0.2, 0.5, 1.5], y: [1, -2, 3, 0, 1], spline: cubic}", stepper, 1e-12);
    REQUIRE(record.ok());
    for (const double error : record.table.column("energy/error")) CHECK(std::abs(error) < 1e-9);
  }
}

}  // namespace work_inside_steps_tests
