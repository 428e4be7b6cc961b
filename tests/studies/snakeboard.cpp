#include <catena/studies/detail/snakeboard_study.hpp>

#include <doctest/doctest.h>

#include <sstream>

using namespace catena::detail;

TEST_CASE("study B, short: every figure is as expected and every error of the source is shown") {
  std::ostringstream text;
  catena::StudyReport report(text, {}, true);
  catena::detail::reproduce_snakeboard(report);
  CHECK(report.comparisons() >= 30);
  for (const std::string& failure : report.failures()) FAIL_CHECK(failure);
}
