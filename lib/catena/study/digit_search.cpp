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

  // The stepper that controls its error and needs least work; what became of the others goes into `tried`.
  std::string cheapest(const Scenario& asked, double tolerance, std::vector<std::string>& tried) const {
    std::string best;
    double least = 0.0;
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
      const double work = work_at(tolerance, record, entry);
      ran.emplace_back(entry.name, work);
      if (best.empty() || work < least) {
        best = entry.name;
        least = work;
      }
    }
    for (const auto& [name, work] : ran)
      if (name != best)
        tried.push_back(fmt::format("{}: {:.2g} times the work of {}", name, work / least, best));
    return best;
  }

  // From one setting to the next finer one, until the digits are there or a finer setting brings none.
  FoundDigits refine(const Scenario& first, int digits, std::vector<std::string> tried) const {
    constexpr int patience = 2;  // settings without a further digit, which scatter of one may hide
    FoundDigits best{.scenario = first, .digits = {}, .measured = {}};
    std::string missing;
    Record record = run(first);
    for (int useless = 0;;) {
      if (!record.ok()) {
        missing = termination(record.report);
        break;
      }
      const Companion how = companion_of(record, catalog_);
      Record finer = run(how.scenario);
      MeasuredBars measured = error_bars(record, finer, how);
      if (!measured.summary.missing.empty()) {
        missing = measured.summary.missing;
        break;
      }
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
    best.digits.tried = std::move(tried);
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
  Scenario scenario = asked;
  std::vector<std::string> tried;
  const double tolerance = std::pow(10.0, -(digits + 1));
  if (scenario.stepper.empty()) {
    scenario.options.clear();
    scenario.stepper = search.cheapest(scenario, tolerance, tried);
    if (scenario.stepper.empty())
      throw UsageError(
          fmt::format("--digits {}: no stepper that controls its error reaches the end of this problem: {}",
                      digits, fmt::join(tried, "; ")));
  }
  if (!tolerance_options(catalog, scenario.stepper).empty()) scenario.tolerance = tolerance;
  return search.refine(scenario, digits, std::move(tried));
}

}  // namespace catena::detail
