// The study of Xu and Zhong 2014, its runs of 100 s left out.
#include <catena/studies/detail/discrete_action_study.hpp>

#include <doctest/doctest.h>

#include <sstream>

using namespace catena;
using namespace catena::detail;

TEST_CASE("study C: every figure is as expected and every claim is borne out") {
  std::ostringstream text;
  StudyReport report(text, {}, true);
  reproduce_discrete_action(report);
  CAPTURE(text.str());
  for (const std::string& failure : report.failures()) FAIL_CHECK(failure);
  CHECK(report.comparisons() == 18);
}
