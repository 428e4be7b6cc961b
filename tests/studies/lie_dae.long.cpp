// The study of the Lie-group DAEs, without its runs at h = 1e-5: every figure and every error of the source.
#include <catena/studies/detail/lie_dae_study.hpp>

#include <doctest/doctest.h>

#include <sstream>

using namespace catena;
using namespace catena::detail;

TEST_CASE("catena reproduce A, quick: every figure is as expected, every error of the source is shown") {
  std::ostringstream text;
  StudyReport report(text, {}, true);
  reproduce_lie_dae(report);
  for (const std::string& failure : report.failures()) FAIL_CHECK(failure);
  CHECK(report.comparisons() == 4 + 16 + 4 + 8 + 24 + 3);  // short run, Table 2, R, Newton, orders, errors
  CHECK(text.str().find("the source is wrong") != std::string::npos);
}
