#include <catena/experiment/parts/options.hpp>
#include <catena/problems/problems.hpp>
#include <catena/solvers/steppers.hpp>
#include <catena/studies/audit.hpp>
#include <catena/studies/detail/audit_make.hpp>
#include <catena/studies/detail/audit_pair.hpp>
#include <catena/studies/detail/audit_symplectic.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace catena {
using namespace detail;
namespace {

using namespace audit_detail;

// The larger one, or not a number if either is: std::max would drop such an end, and the check would pass.
double larger(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::quiet_NaN();
  return std::max(a, b);
}

// Of all pairs of ends the worst one of each stepper.
void compare(const std::vector<End>& ends, const AuditCase& which, AuditResult& result) {
  const auto leave_out = [&](const End& end, const std::string& check, const std::string& reason) {
    result.skipped.push_back({end.stepper, which.name(), reason, check});
  };
  for (const End& end : ends) {
    if (end.lambda.empty() && end.rows > 0)
      leave_out(end, "same lambda as all others",
                which.redundant ? "rows depend on each other: their multipliers are not unique"
                                : "no order is promised");
    double worst = 0.0;
    std::string with;
    for (const End& other : ends) {
      if (&other == &end) continue;
      double apart = larger(distance(end.q, other.q) / (safety * (end.q_error + other.q_error)),
                            distance(end.v, other.v) / (safety * (end.v_error + other.v_error)));
      if (!end.lambda.empty() && end.lambda.size() == other.lambda.size())
        apart = larger(
            apart, distance(end.lambda, other.lambda) / (safety * (end.lambda_error + other.lambda_error)));
      else if (!end.lambda.empty() && !other.lambda.empty() && &other > &end)
        leave_out(end, "same lambda as " + other.stepper,
                  std::to_string(end.lambda.size()) + " multipliers, and there " +
                      std::to_string(other.lambda.size()));
      if (std::isnan(worst) || apart <= worst) continue;
      worst = apart;
      with = other.stepper;
    }
    if (ends.size() < 2) continue;
    result.checks.push_back({end.stepper, which.name(), "same end as all others", worst, 1.0, false,
                             "of the tolerance; farthest: " + with});
  }
}

const ProblemEntry& find(const std::vector<ProblemEntry>& problems, const std::string& name) {
  const auto at =
      std::find_if(problems.begin(), problems.end(), [&](const auto& p) { return p.name == name; });
  if (at == problems.end())
    throw std::invalid_argument("the audit has a case of no problem \"" + name + "\"");
  return *at;
}

void check_complete(const std::vector<ProblemEntry>& problems, const std::vector<AuditCase>& cases) {
  for (const ProblemEntry& p : problems)
    if (std::none_of(cases.begin(), cases.end(), [&](const AuditCase& c) { return c.problem == p.name; }))
      throw std::invalid_argument(
          "the audit has no case of problem \"" + p.name +
          "\": add one with its end and its number of steps to audit_cases(), or give the "
          "problems of your cases to audit(steppers, cases, problems)");
}

bool begins(const std::string& text, const std::string& beginning) { return text.rfind(beginning, 0) == 0; }

std::string exception_of(const AuditStepper& stepper, const AuditCase& which) {
  for (const AuditException& e : audit_exceptions())
    if (begins(stepper.name(), e.stepper) && begins(which.name(), e.problem)) return e.reason;
  return {};
}

void audit_case(const std::vector<AuditStepper>& steppers, const AuditCase& which, const ProblemEntry& entry,
                AuditResult& result) {
  const std::unique_ptr<Problem> problem = entry.make();
  set_options([&](OptionVisitor& v) { problem->visit(v); }, which.parameters, "parameter",
              "problem " + entry.name);
  std::unique_ptr<Subject> in[2];  // by Coordinates
  std::vector<End> ends;
  for (const AuditStepper& stepper : steppers) {
    std::string reason = !which.skip.empty() ? which.skip : exception_of(stepper, which);
    const Subject* subject = nullptr;
    if (reason.empty()) {
      const Made made = make(stepper, 0.0);
      const Coordinates coordinates = made.stepper->traits().coordinates;
      std::unique_ptr<Subject>& made_for = in[coordinates == Coordinates::lagrangian ? 1 : 0];
      if (!made_for) made_for = std::make_unique<Subject>(*problem, coordinates);
      subject = made_for.get();
      reason = made.stepper->refuses(subject->system());
    }
    if (!reason.empty()) {
      result.skipped.push_back({stepper.name(), which.name(), reason});
      continue;
    }
    End end;
    if (audit_pair(stepper, which, *subject, result, end)) ends.push_back(std::move(end));
  }
  const auto& any = in[0] ? in[0] : in[1];  // both know the same invariants
  if (any)
    for (const std::string& name : any->unknown_invariants())
      result.skipped.push_back(
          {"all", which.name(), "the audit cannot measure it", "invariant \"" + name + "\""});
  compare(ends, which, result);
}

}  // namespace

void audit(const std::vector<AuditStepper>& steppers, const std::vector<AuditCase>& cases,
           const std::vector<ProblemEntry>& problems, AuditResult& result,
           const std::function<void(const AuditCase&)>& after_case) {
  check_complete(problems, cases);
  for (const AuditCase& which : cases) {
    audit_case(steppers, which, find(problems, which.problem), result);
    after_case(which);
  }
  for (const AuditStepper& stepper : steppers) {
    Made made = make(stepper, 0.0);
    if (!made.stepper->traits().symplectic) continue;
    for (const double h : symplectic_steps)
      result.checks.push_back({stepper.name(), "two bodies", "symplectic: |A^T Omega A - Omega|",
                               symplectic_defect(*made.stepper, h), symplectic_tolerance, false,
                               "a step of " + std::to_string(h) + " s"});
  }
}

AuditResult audit(const std::vector<AuditStepper>& steppers, const std::vector<AuditCase>& cases,
                  const std::vector<ProblemEntry>& problems) {
  AuditResult result;
  audit(steppers, cases, problems, result, [](const AuditCase&) {});
  return result;
}

AuditResult audit(const std::vector<AuditStepper>& steppers, const std::vector<AuditCase>& cases) {
  return audit(steppers, cases, audit_problems());
}

AuditResult audit(const StepperEntry& stepper) {
  std::vector<AuditStepper> both{{stepper}};
  for (const StepperEntry& entry : builtin_steppers())
    if (entry.name == "dormand_prince") both.push_back({entry, {{"control", "fixed"}}});
  return audit(both, audit_cases());
}

}  // namespace catena
