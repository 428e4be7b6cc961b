#include <catena/studies/snakeboard.hpp>

#include <doctest/doctest.h>

#include <sstream>

TEST_CASE("study B, short: every figure is as expected and every error of the source is shown") {
  std::ostringstream text;
  catena::StudyReport report(text, {}, true);
  catena::reproduce_snakeboard(report);
  CHECK(report.comparisons() >= 30);
  for (const std::string& failure : report.failures()) FAIL_CHECK(failure);
}
