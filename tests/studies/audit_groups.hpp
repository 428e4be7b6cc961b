// The audit of all steppers on all problems, in groups of problems of a minute each: one test file a group, so that
// they run beside each other.
#pragma once
#include <catena/problems/problems.hpp>
#include <catena/studies/audit.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace catena::detail;

namespace catena_test {

inline const std::map<std::string, std::vector<std::string>>& audit_groups() {
  static const std::map<std::string, std::vector<std::string>> groups{
      {"chains", {"simple_pendulum", "rod_chain", "box_chain", "straight_box_chain", "helix_chain"}},
      {"arms", {"heavy_top", "two_link_manipulator", "rotary_pendulum", "driven_arm"}},
      {"loops and rolling", {"four_bar", "n_four_bar", "snakeboard", "knife_edge", "rolling_disc"}},
      {"random trees", {"random_tree"}},
      {"Euler angles", {"euler_ball_joint"}},
      {"space manipulator", {"space_manipulator"}},
  };
  return groups;
}

// What is run and what is left out, so that no pair and no check goes missing unseen: a new stepper, variant or case
// changes these numbers. With ida there are `of_ida` pairs more, each with one check left out. Checks of what lies
// between the ends of a step are counted apart: how many of them show nothing but roundoff depends on the machine.
struct AuditCounts {
  int pairs = 0, of_ida = 0;
  long without_copies = 0;  // pairs of a stepper whose history is no part of the state
  long checks_left_out = 0;
  // Of these, by reason.
  long chooses_steps = 0, at_roundoff = 0, few_steps = 0, order_not_unique = 0, lambda_not_unique = 0,
       not_measured = 0;
};

inline void hold_audit(const std::string& group, AuditCounts expected) {
  using namespace catena;
#ifdef CATENA_HAS_SUNDIALS
  expected.pairs += expected.of_ida;
  expected.without_copies += expected.of_ida;
  expected.chooses_steps += expected.of_ida;
  expected.checks_left_out += expected.of_ida;
#endif
  const std::vector<std::string>& names = audit_groups().at(group);
  const auto other = [&](const std::string& problem) {
    return std::find(names.begin(), names.end(), problem) == names.end();
  };
  const std::vector<AuditStepper> steppers = audit_steppers();
  std::vector<AuditCase> cases = audit_cases();
  std::erase_if(cases, [&](const AuditCase& c) { return other(c.problem); });
  std::vector<ProblemEntry> problems = audit_problems();
  std::erase_if(problems, [&](const ProblemEntry& p) { return other(p.name); });
  const AuditResult result = audit(steppers, cases, problems);
  for (const AuditCheck& c : result.failures()) {
    CAPTURE(c.stepper);
    CAPTURE(c.problem);
    CAPTURE(c.measured);
    CAPTURE(c.bound);
    CAPTURE(c.remark);
    FAIL_CHECK(c.check);
  }
  std::set<std::string> left_out;
  long checks_left_out = 0;
  for (const AuditSkip& s : result.skipped) {
    CHECK_FALSE(s.reason.empty());
    if (s.check.empty())
      left_out.insert(s.stepper + " on " + s.problem);
    else
      ++checks_left_out;
  }
  const auto count = [&](const char* check, const char* reason) {
    return std::count_if(result.skipped.begin(), result.skipped.end(), [&](const AuditSkip& s) {
      return s.check.rfind(check, 0) == 0 && !s.check.empty() && s.reason.find(reason) != std::string::npos;
    });
  };
  const long continued = count("continues from", ""), between = count("between the ends", "");
  CHECK(continued == expected.without_copies);
  CHECK(between <= result.pairs);  // of two checks a pair every second one at most
  CHECK(result.pairs == expected.pairs);
  CHECK(result.pairs + static_cast<int>(left_out.size()) == static_cast<int>(steppers.size() * cases.size()));
  CHECK(checks_left_out - continued - between == expected.checks_left_out);
  CHECK(count("order in h", "chooses its steps") == expected.chooses_steps);
  CHECK(count("order of", "nothing is left but roundoff") == expected.at_roundoff);
  CHECK(count("exponent", "less than 8 steps") == expected.few_steps);
  CHECK(count("order of lambda", "not unique") == expected.order_not_unique);
  CHECK(count("same lambda as all others", "not unique") == expected.lambda_not_unique);
  CHECK(count("invariant", "cannot measure") == expected.not_measured);
}

}  // namespace catena_test
