// Units and marks in the tables of a comparison, of numbers that are given.
#include <catena/cli/detail/compare_text.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace compare_text_tests {

using namespace catena::detail;

TEST_CASE(
    "tables of a comparison have milliseconds, kilobytes and per cent, and marks of their own instants") {
  ProblemComparison comparison{.problem = "pendulum", .end = 2.0, .instants = {1.0, 2.0}};
  ReferenceMotion& reference = comparison.reference;
  reference.known = true;
  reference.method = "radau";
  reference.checked = "ida";
  reference.estimate[Part::position] = 1e-3;  // between the instants, and less at the end
  reference.estimate_at_end[Part::position] = 1e-9;
  ComparedRun run{.stepper = {"hht"}, .setting = 0.5, .status = "ok", .mean_step = 0.5, .steps = 4};
  run.largest[Part::position] = 2e-4;
  run.at_end[Part::position] = 3e-6;
  run.rejected = 7;
  run.newton_iterations = 12;
  run.factorizations = 5;
  run.unknowns = 11;
  run.seconds = {0.08, 0.1};  // the slower one by a quarter
  run.undisturbed = 0.06;
  run.heap = 34567.0;
  comparison.runs.push_back(run);
  const auto row = [&](const char* table) {
    const std::string text = to_text(comparison, {.tables = {table}, .markdown = true});
    const std::size_t at = text.find("| `hht` | h = 0.5 s | ");
    REQUIRE(at != std::string::npos);
    return text.substr(at, text.find('\n', at) - at);
  };
  CHECK(row("errors").starts_with("| `hht` | h = 0.5 s | 4 | 80 | 25 | 60 | <1.0e-03 | "));
  CHECK(row("end").starts_with("| `hht` | h = 0.5 s | 4 | 3.0e-06 | "));
  CHECK(row("work") == "| `hht` | h = 0.5 s | 4 | 7 | 3.00 | 5 | 11 | 35 | - |");
}

TEST_CASE("an error below what the reference is known to is shown as below that, in tolerances as well") {
  ProblemComparison comparison{.problem = "pendulum", .end = 1.0};
  ReferenceMotion& reference = comparison.reference;
  reference.known = true;
  reference.length = 1.0;
  reference.estimate[Part::position] = 2e-5;  // a tenth of what 1e-4 allows, ten times what 1e-6 does
  reference.estimate[Part::rotation] = 0.0;
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    ComparedRun run{.stepper = {"dop853"}, .controlled = true, .setting = tolerance, .status = "ok"};
    run.over_tolerance = tolerance == 1e-4 ? 0.3 : tolerance == 1e-6 ? 7.0 : 5000.0;
    comparison.runs.push_back(run);
  }
  const std::string text = to_text(comparison, {.tables = {"tolerances"}, .markdown = true});
  CHECK(text.find("| `dop853` | 0.3 | <10 | 5e+03 |\n") != std::string::npos);
  CHECK(text.find("| stepper | 0.0001 | 1e-06 | 1e-08 |\n") != std::string::npos);
}

}  // namespace compare_text_tests
