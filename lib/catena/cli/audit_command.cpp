#include <catena/cli/detail/commands.hpp>
#include <catena/cli/detail/console_text.hpp>
#include <catena/cli/detail/interrupt.hpp>
#include <catena/driver/detail/stop_scope.hpp>
#include <catena/experiment/detail/number.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/math/detail/nearest.hpp>
#include <catena/studies/audit.hpp>

#include <algorithm>
#include <cstddef>
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

std::vector<ProblemEntry> problems_of(const std::vector<AuditCase>& cases) {
  std::vector<ProblemEntry> problems = audit_problems();
  std::erase_if(problems, [&](const ProblemEntry& entry) {
    return std::none_of(cases.begin(), cases.end(),
                        [&](const AuditCase& which) { return which.problem == entry.name; });
  });
  return problems;
}

// One stepper alone has none to be compared with: fixed steps of order 5 are added.
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
    int pairs = 0;  // up to the case before
    std::size_t checks = 0;
    audit(steppers, cases, problems_of(cases), all, [&](const AuditCase& which) {
      const auto first = all.checks.begin() + static_cast<std::ptrdiff_t>(checks);
      const auto failed =
          std::count_if(first, all.checks.end(), [](const AuditCheck& check) { return !check.ok(); });
      console.out << which.name() << ": " << all.pairs - pairs << " pairs, " << all.checks.size() - checks
                  << " checks, " << failed << " failed\n"
                  << std::flush;
      pairs = all.pairs;
      checks = all.checks.size();
    });
  } catch (const StopScope::Stopped&) {
    console.out << '\n' << to_text(all.failures()) << summary(all);
    console.err << "catena: interrupted; the problems above are complete\n";
    return exit_code_of_signal(console);
  }
  console.out << '\n' << (request.all ? to_text(all) : to_text(all.failures()) + summary(all));
  if (all.pairs == 0) {
    console.err << "catena: nothing was looked at: "
                << (all.skipped.empty() ? "there is no case" : all.skipped.front().reason) << '\n';
    return exit_bad_input;
  }
  return all.failures().empty() ? exit_ok : exit_run_ended_early;
}

}  // namespace catena::detail
