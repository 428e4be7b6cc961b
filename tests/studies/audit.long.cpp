// Every stepper of the library on every problem that it takes.
#include <catena/studies/audit.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

using namespace catena;

TEST_CASE("the audit: every stepper keeps its promises on every problem that it takes") {
  const std::vector<AuditStepper> steppers = audit_steppers();
  const std::vector<AuditCase> cases = audit_cases();
  const AuditResult result = audit(steppers, cases);
  MESSAGE(to_text(result));
  for (const AuditCheck& c : result.failures()) {
    CAPTURE(c.stepper);
    CAPTURE(c.problem);
    CAPTURE(c.measured);
    CAPTURE(c.bound);
    CAPTURE(c.remark);
    FAIL_CHECK(c.check);
  }
  std::set<std::string> left_out;
  const auto count = [&](const char* check, const char* reason) {
    return std::count_if(result.skipped.begin(), result.skipped.end(), [&](const AuditSkip& s) {
      return s.check.rfind(check, 0) == 0 && !s.check.empty() && s.reason.find(reason) != std::string::npos;
    });
  };
  std::size_t single = 0;
  for (const AuditSkip& s : result.skipped) {
    CHECK_FALSE(s.reason.empty());
    if (s.check.empty())
      left_out.insert(s.stepper + " on " + s.problem);
    else
      ++single;
  }
  // A new stepper, variant or case changes this number: it is here so that no pair goes missing unseen.
#ifdef CATENA_HAS_SUNDIALS
  CHECK(result.pairs == 586);
  CHECK(count("order in h", "chooses its steps") == 66);
  CHECK(single == 152);
#else
  CHECK(result.pairs == 541);
  CHECK(count("order in h", "chooses its steps") == 21);
  CHECK(single == 107);
#endif
  CHECK(count("order of", "nothing is left but roundoff") == 8);
  CHECK(count("exponent", "less than 8 steps") == 9);
  CHECK(count("order of lambda", "not unique") == 44);
  CHECK(count("same lambda as all others", "not unique") == 24);
  CHECK(count("invariant", "cannot measure") == 1);
  CHECK(result.pairs + static_cast<int>(left_out.size()) == static_cast<int>(steppers.size() * cases.size()));
}
