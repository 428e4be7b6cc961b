#include <catena/experiment/catalog.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/study/detail/digit_search.hpp>
#include <catena/study/detail/tolerance_options.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace catena::detail {
namespace {

constexpr double first_tolerance = 1e-3;  // of the first look at a stepper
constexpr double zero = 1e-12;            // of a unit in which all is smaller: roundoff of what vanishes
constexpr double most_digits = 16.0;      // of a double
constexpr double own_solver =
    10.0;  // an operation of a stepper with a linear solver of its own over one with ours

double work_of(const Record& record, const StepperEntry& stepper) {
  const StepperStatistics& s = record.report.statistics;
  return static_cast<double>(s.evaluations + s.factorizations + s.solves) *
         (stepper.setup()->own_backend().empty() ? 1.0 : own_solver);
}

// With an error of steps of C h^(p + 1) per tolerance, the number of steps grows with tolerance^(-1 / (p + 1)).
double work_at(double tolerance, const Record& record, const StepperEntry& stepper) {
  const int p = std::max(1, std::min(record.report.traits.order_q, record.report.traits.order_v));
  return work_of(record, stepper) * std::pow(first_tolerance / tolerance, 1.0 / (p + 1));
}

std::string setting_of(const Report& report, const std::set<std::string>& tolerances) {
  if (!report.traits.chooses_step)
    return fmt::format("{} with a step of {:.6g} s", report.stepper, report.run.step);
  return fmt::format("{} with a tolerance of {:.3g}", report.stepper, finest_tolerance(report, tolerances));
}

// The largest value of all numbers of a quantity.
double size_of(const Table& table, const std::string& quantity) {
  double size = 0.0;
  for (std::size_t c = 1; c < table.columns.size(); ++c) {
    const std::string& name = table.columns[c];
    if (name != quantity && !name.starts_with(quantity + ' ')) continue;
    for (std::size_t row = 0; row < table.rows(); ++row) size = std::max(size, std::abs(table.at(row, c)));
  }
  return size;
}

class Search {
 public:
  Search(const Catalog& catalog, int threads)
      : catalog_(catalog), context_{.settings = {.threads = threads}, .keep_standard = true} {}

  Record run(const Scenario& scenario) const { return try_run(scenario, catalog_, context_); }

  // The steppers that control their error, by the work that they need; what became of the others goes into `tried`.
  std::vector<std::string> by_work(const Scenario& asked, double tolerance,
                                   std::vector<std::string>& tried) const {
    std::vector<std::pair<std::string, double>> ran;
    for (const StepperEntry& entry : catalog_.steppers()) {
      if (tolerance_options(catalog_, entry.name).empty()) continue;
      Scenario scenario = asked;
      scenario.stepper = entry.name;
      scenario.tolerance = first_tolerance;
      const Record record = run(scenario);
      if (!record.ok()) {
        tried.push_back(fmt::format("{}: {}", entry.name, termination(record.report)));
        continue;
      }
      ran.emplace_back(entry.name, work_at(tolerance, record, entry));
    }
    std::stable_sort(ran.begin(), ran.end(),
                     [](const auto& a, const auto& b) { return a.second < b.second; });
    std::vector<std::string> names;
    for (const auto& [name, work] : ran) {
      if (!names.empty())
        tried.push_back(fmt::format("{}: {:.2g} times the work of {}", name, work / ran.front().second,
                                    ran.front().first));
      names.push_back(name);
    }
    return names;
  }

  // From one setting to the next finer one, until the digits are there or a finer setting brings none. failed: runs did not
  // reach their end, which those of another stepper may.
  FoundDigits refine(const Scenario& first, int digits, std::vector<std::string>& tried, bool& failed) const {
    constexpr int patience =
        2;  // settings without a further digit, which scatter of one may hide, or without an end
    FoundDigits best{.scenario = first, .digits = {}, .measured = {}};
    std::string missing;
    failed = false;
    Record record = run(first);
    for (int useless = 0, failures = 0;;) {
      if (!record.ok()) {
        missing = termination(record.report);
        failed = true;
        if (!record.report.error.empty() || ++failures > patience) break;
        const Companion how = companion_of(record, catalog_);
        tried.push_back(fmt::format("{}: {}", record.scenario.stepper, missing));
        record = run(how.scenario);
        missing.clear();
        continue;
      }
      const Companion how = companion_of(record, catalog_);
      Record finer = run(how.scenario);
      MeasuredBars measured = error_bars(record, finer, how);
      if (!measured.summary.missing.empty()) {
        const bool another = finer.report.error.empty() && (!finer.ok() || ++useless < patience);
        if (finer.ok())
          tried.push_back(fmt::format("{}: {}",
                                      setting_of(record.report, tolerance_options(catalog_, first.stepper)),
                                      measured.summary.missing));
        if (another) {
          record = std::move(finer);
          continue;
        }
        missing = measured.summary.missing;
        failed = true;
        break;
      }
      failed = false;
      Digits now = digits_of(record.table, measured.summary);
      now.setting = setting_of(record.report, tolerance_options(catalog_, record.scenario.stepper));
      if (now.reached > best.digits.reached || best.digits.setting.empty()) {
        useless = now.reached > best.digits.reached + 0.1 ? 0 : useless + 1;
        best = {.scenario = record.scenario, .digits = now, .measured = std::move(measured)};
      } else {
        ++useless;
      }
      if (now.reached >= digits) break;
      tried.push_back(fmt::format("{}: {:.1f} digits", now.setting, now.reached));
      if (useless == patience) missing = "a finer setting brings no more: roundoff, or a chaotic motion";
      if (!missing.empty()) break;
      record = std::move(finer);
    }
    best.digits.asked = digits;
    best.digits.missing = std::move(missing);
    return best;
  }

 private:
  const Catalog& catalog_;
  const RunContext context_;
};

}  // namespace

Digits digits_of(const Table& table, const ErrorBars& bars) {
  std::map<std::string, double> largest;  // by unit
  for (const ErrorBar& bar : bars.bars) {
    double& size = largest[bar.unit];
    size = std::max(size, size_of(table, bar.quantity));
  }
  Digits fewest{.reached = most_digits};
  for (const ErrorBar& bar : bars.bars) {
    const double size = largest[bar.unit];
    if (!(size > zero)) continue;
    const double reached = std::clamp(-std::log10(2.0 * bar.largest / size), 0.0, most_digits);
    if (!fewest.quantity.empty() && reached >= fewest.reached) continue;
    fewest.reached = reached;
    fewest.quantity = bar.quantity;
    fewest.unit = bar.unit;
    fewest.bar = bar.largest;
    fewest.size = size;
  }
  return fewest;
}

FoundDigits find_digits(const Scenario& asked, int digits, const Catalog& catalog, int threads) {
  const Search search(catalog, threads);
  std::vector<std::string> tried;
  const double tolerance = std::pow(10.0, -(digits + 1));
  std::vector<std::string> steppers{asked.stepper};
  if (asked.stepper.empty()) {
    if (!asked.options.empty())
      throw UsageError(
          "--option beside --digits: options belong to a stepper, which is chosen here; name one by "
          "--stepper");
    steppers = search.by_work(asked, tolerance, tried);
    if (steppers.empty())
      throw UsageError(
          fmt::format("--digits {}: no stepper that controls its error reaches the end of this problem: {}",
                      digits, fmt::join(tried, "; ")));
  }
  FoundDigits best;
  for (std::size_t k = 0; k < steppers.size(); ++k) {
    Scenario scenario = asked;
    scenario.stepper = steppers[k];
    if (!tolerance_options(catalog, scenario.stepper).empty()) scenario.tolerance = tolerance;
    bool failed = false;
    FoundDigits found = search.refine(scenario, digits, tried, failed);
    const std::string missing = found.digits.missing;
    if (k == 0 || found.digits.reached > best.digits.reached) best = std::move(found);
    if (missing.empty() || !failed) break;
    tried.push_back(fmt::format("{}: {}", scenario.stepper, missing));
  }
  best.digits.tried = std::move(tried);
  return best;
}

}  // namespace catena::detail
