#include <catena/cli/detail/commands.hpp>
#include <catena/cli/detail/console_text.hpp>
#include <catena/cli/detail/interrupt.hpp>
#include <catena/driver/detail/stop_scope.hpp>
#include <catena/experiment/detail/number.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/math/detail/nearest.hpp>
#include <catena/studies/audit.hpp>

#include <algorithm>
#include <ostream>

namespace catena::detail {
namespace {

// The stepper that was asked for, or all of the catalog with the variants of the audit.
std::vector<AuditStepper> wanted_steppers(const AuditRequest& request, const Catalog& catalog) {
  Complaints complaints;
  Settings options;
  complaints.attempt([&] { options = parse_settings(request.options, "--option"); });
  complaints.throw_if_any();
  if (request.stepper.empty() && !options.empty())
    throw UsageError("--option needs the name of a stepper before it");
  std::vector<AuditStepper> found;
  std::vector<std::string> names;
  for (const StepperEntry& entry : catalog.steppers()) {
    names.push_back(entry.name);
    if (request.stepper.empty() || request.stepper == entry.name) found.push_back({entry, options});
  }
  if (found.empty()) throw UsageError(unknown_name("stepper", request.stepper, names));
  if (!options.empty()) return found;
  for (const AuditStepper& variant : audit_steppers())
    if (!variant.options.empty() && std::any_of(found.begin(), found.end(), [&](const AuditStepper& s) {
          return s.options.empty() && s.entry.name == variant.entry.name;
        }))
      found.push_back(variant);
  return found;
}

std::vector<AuditCase> wanted_cases(const std::string& problem) {
  std::vector<AuditCase> cases;
  std::vector<std::string> names;
  for (const AuditCase& which : audit_cases()) {
    if (std::find(names.begin(), names.end(), which.problem) == names.end()) names.push_back(which.problem);
    if (problem.empty() || problem == which.problem) cases.push_back(which);
  }
  if (cases.empty()) throw UsageError(unknown_name("problem of the audit", problem, names));
  return cases;
}

// One stepper has nobody to be compared with: fixed steps of order 5 take its side.
void add_companion(std::vector<AuditStepper>& steppers) {
  const Settings fixed{{"control", "fixed"}};
  if (std::any_of(steppers.begin(), steppers.end(), [&](const AuditStepper& s) {
        return s.entry.name == "dormand_prince" && s.options == fixed;
      }))
    return;
  for (const AuditStepper& s : audit_steppers())
    if (s.entry.name == "dormand_prince" && s.options == fixed) steppers.push_back(s);
}

}  // namespace

int audit_command(const AuditRequest& request, const Catalog& catalog, const Console& console) {
  std::vector<AuditStepper> steppers = wanted_steppers(request, catalog);
  const std::vector<AuditCase> cases = wanted_cases(request.problem);
  add_companion(steppers);
  const ListenToSignals listen;
  AuditResult all;
  try {
    const StopScope scope(console.stop);
    for (const AuditCase& which : cases) {
      std::vector<ProblemEntry> problems;
      for (const ProblemEntry& entry : audit_problems())
        if (entry.name == which.problem) problems.push_back(entry);
      AuditResult result = audit(steppers, {which}, problems);
      if (&which != &cases.back())  // of the steppers alone: once is enough
        std::erase_if(result.checks, [](const AuditCheck& check) { return check.problem == "two bodies"; });
      const auto failed = result.failures().size();
      console.out << which.name() << ": " << result.pairs << " pairs, " << result.checks.size() << " checks, "
                  << failed << " failed\n"
                  << std::flush;
      all.pairs += result.pairs;
      all.checks.insert(all.checks.end(), result.checks.begin(), result.checks.end());
      all.skipped.insert(all.skipped.end(), result.skipped.begin(), result.skipped.end());
    }
  } catch (const StopScope::Stopped&) {
    console.out << '\n' << to_text(all.failures()) << summary(all);
    console.err << "catena: interrupted; the problems above are complete\n";
    return exit_code_of_signal(console);
  }
  AuditResult shown = all;
  if (!request.all) {
    shown.checks = all.failures();
    shown.skipped.clear();
  }
  console.out << '\n' << (request.all ? to_text(shown) : to_text(shown.checks) + summary(all));
  if (all.pairs == 0) {
    console.err << "catena: nothing was looked at: "
                << (all.skipped.empty() ? "there is no case" : all.skipped.front().reason) << '\n';
    return exit_bad_input;
  }
  return all.failures().empty() ? exit_ok : exit_run_ended_early;
}

}  // namespace catena::detail
