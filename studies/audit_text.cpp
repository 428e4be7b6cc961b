#include <catena/math/detail/printed.hpp>
#include <catena/studies/audit.hpp>

#include <algorithm>

namespace catena {
using namespace detail;
namespace {

std::string with(const std::string& name, const Settings& options) {
  std::string all;
  for (const auto& [option, value] : options) all += (all.empty() ? "" : ", ") + option + " = " + value;
  return all.empty() ? name : name + " (" + all + ")";
}

}  // namespace

std::string AuditStepper::name() const { return with(entry.name, options); }
std::string AuditCase::name() const { return with(problem, parameters); }

std::vector<AuditCheck> AuditResult::failures() const {
  std::vector<AuditCheck> found;
  for (const AuditCheck& check : checks)
    if (!check.ok()) found.push_back(check);
  return found;
}

std::string to_text(const std::vector<AuditCheck>& checks) {
  std::string text;
  std::string pair;
  for (const AuditCheck& c : checks) {
    if (c.stepper + c.problem != pair) {
      pair = c.stepper + c.problem;
      text += c.stepper + " on " + c.problem + "\n";
    }
    text += printed("  %-4s %-50s %12.4g %s %.4g", c.ok() ? "ok" : "FAIL", c.check.c_str(), c.measured,
                    c.at_least ? ">=" : "<=", c.bound);
    text += (c.remark.empty() ? "" : "  " + c.remark) + "\n";
  }
  return text;
}

std::string summary(const AuditResult& result) {
  const auto pairs = static_cast<std::size_t>(std::count_if(
      result.skipped.begin(), result.skipped.end(), [](const AuditSkip& s) { return s.check.empty(); }));
  return printed("%d pairs, %zu checks, %zu failed, %zu pairs and %zu single checks left out\n", result.pairs,
                 result.checks.size(), result.failures().size(), pairs, result.skipped.size() - pairs);
}

std::string to_text(const AuditResult& result) {
  std::string text = to_text(result.checks);
  if (!result.skipped.empty()) text += "left out\n";
  for (const AuditSkip& s : result.skipped)
    text += "  " + s.stepper + " on " + s.problem + (s.check.empty() ? "" : ", " + s.check) + ": " +
            s.reason + "\n";
  return text + summary(result);
}

}  // namespace catena
