// Every stepper of the library on every problem that it takes.
#include <catena/studies/audit.hpp>

#include <doctest/doctest.h>

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
  for (const AuditSkip& s : result.skipped) {
    CHECK_FALSE(s.reason.empty());
    if (s.check.empty()) left_out.insert(s.stepper + " on " + s.problem);
  }
  // A new stepper, variant or case changes this number: it is here so that no pair goes missing unseen.
#ifdef CATENA_HAS_SUNDIALS
  CHECK(result.pairs == 586);
#else
  CHECK(result.pairs == 541);
#endif
  CHECK(result.pairs + static_cast<int>(left_out.size()) == static_cast<int>(steppers.size() * cases.size()));
}
