#include <catena/studies/detail/rotary_pendulum_study.hpp>

#include <doctest/doctest.h>

#include <sstream>

using namespace catena::detail;

TEST_CASE("study E: every figure is as expected and every error of the source is shown") {
  std::ostringstream text;
  catena::StudyReport report(text);
  catena::detail::reproduce_rotary_pendulum(report);
  CHECK(report.comparisons() >= 20);
  for (const std::string& failure : report.failures()) FAIL_CHECK(failure);
}
