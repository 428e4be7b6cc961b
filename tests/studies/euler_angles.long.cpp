#include <catena/studies/detail/euler_angles_study.hpp>

#include <doctest/doctest.h>

#include <sstream>

using namespace catena::detail;

TEST_CASE("study D: every figure is as expected and every error of the source is shown") {
  std::ostringstream text;
  catena::StudyReport report(text, {}, true);  // without the middle phases of a passage
  catena::detail::reproduce_euler_angles(report);
  CHECK(report.comparisons() >= 30);
  for (const std::string& failure : report.failures()) FAIL_CHECK(failure);
}
