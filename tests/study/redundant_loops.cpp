// Loops with redundant rows: how many steps they take, and the multipliers of runs and between their steps.

#include "support/source_folder.hpp"
#include "support/text_models.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace catena;

namespace redundant_loops_tests {
namespace {

Scenario of_file(const char* name, const char* stepper, double end, double tolerance) {
  Scenario scenario{.problem = (catena_test::source_folder() / "problems/files/").string() + name};
  scenario.stepper = stepper;
  scenario.end = end;
  scenario.tolerance = tolerance;
  return scenario;
}

Record record_of(const Scenario& scenario) {
  Record record = run(scenario, catena_test::with_model_files());
  REQUIRE_MESSAGE(record.ok(), record.report.error);
  return record;
}

long steps_of(const Scenario& scenario) { return record_of(scenario).report.statistics.steps; }

}  // namespace
}  // namespace redundant_loops_tests
using namespace redundant_loops_tests;

// Its redundant rows miss each other by what assembling it has left, and are weak all along.
TEST_CASE("an assembled linkage is near no flat position") {
  CHECK(steps_of(of_file("four_bar.yaml", "lie_bdf", 0.5, 1e-4)) <= 100);        // 74
  CHECK(steps_of(of_file("four_bar.yaml", "dop853", 0.5, 1e-5)) <= 6);           // 4
  CHECK(steps_of(of_file("four_bar.yaml", "dormand_prince", 0.5, 1e-5)) <= 12);  // 9
  CHECK(steps_of(of_file("four_bar.yaml", "radau", 0.5, 1e-7)) <= 50);           // 41
}

TEST_CASE(
    "multipliers at instants inside the steps of a loop with redundant rows are those at the ends of steps") {
  Scenario inside = of_file("bricard.yaml", "dop853", 0.6, 1e-8);
  inside.step = 0.05;
  inside.every = 1;
  inside.record = "lambda";
  Scenario ends = inside;
  ends.tolerance.reset();
  ends.step = 0.0025;
  ends.every = 20;
  ends.option("control", "fixed");
  const Record a = record_of(inside), b = record_of(ends);
  REQUIRE(a.table.rows() == b.table.rows());
  REQUIRE(a.table.rows() == 13);
  double largest = 0.0, off = 0.0;
  for (std::size_t row = 0; row < a.table.rows(); ++row)
    for (std::size_t c = 1; c < a.table.columns.size(); ++c) {
      largest = std::max(largest, std::abs(b.table.at(row, c)));
      off = std::max(off, std::abs(a.table.at(row, c) - b.table.at(row, c)));
    }
  CHECK(largest > 1.0);
  CHECK(off <= 1e-4 * largest);
}
