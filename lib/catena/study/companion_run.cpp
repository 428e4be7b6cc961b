#include <catena/experiment/catalog.hpp>
#include <catena/study/detail/companion_run.hpp>
#include <catena/study/detail/tolerance_options.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>
#include <variant>

namespace catena::detail {
namespace {

double part_of_error(int order) { return 1.0 - std::pow(0.5, std::max(order, 1)); }

int order_of_motion(const Traits& traits) { return std::min(traits.order_q, traits.order_v); }

// Of multipliers in the results, at the end of a step: those of its middle are off by half a step.
int order_of_multipliers(const Record& record) {
  const Traits& traits = record.report.traits;
  if (record.scenario.multipliers == "recomputed") return order_of_motion(traits);
  return traits.lambda_at == 1.0 ? std::min(traits.order_lambda, order_of_motion(traits)) : 1;
}

bool is_of_multipliers(std::string_view column) {
  constexpr std::array<std::string_view, 3> heads{"lambda", "reactions/", "drives/"};
  return std::any_of(heads.begin(), heads.end(),
                     [&](std::string_view head) { return column.starts_with(head); });
}

// Coordinates and their rates are those of bodies, which say it in metres and by name.
bool is_result(std::string_view column, bool of_bodies) {
  constexpr std::array<std::string_view, 7> about_the_run{
      "time", "step/", "residuals/", "energy/error", "lambda_bar/", "peaks/", "discrete"};
  constexpr std::array<std::string_view, 3> raw{"q ", "v ", "a "};
  const auto begins = [&](std::string_view head) { return column.starts_with(head); };
  return std::none_of(about_the_run.begin(), about_the_run.end(), begins) &&
         (!of_bodies || std::none_of(raw.begin(), raw.end(), begins));
}

// "bodies/position" of "bodies/position x of link 3".
std::string quantity_of(const std::string& column) { return column.substr(0, column.find(' ')); }

// To the columns of another table; column_of: -1 for what it does not have. False: it does not have all of them in that order.
bool move_columns(MeasuredColumns& quantity, const std::vector<int>& column_of) {
  if (quantity.columns() == 0) return false;
  const MeasuredColumns from = quantity;
  const auto moved = [&](int k, int i) { return column_of[static_cast<std::size_t>(from.column(k, i))]; };
  quantity.start = moved(0, 0);
  if (from.count > 1) quantity.stride = moved(1, 0) - quantity.start;
  for (int k = 0; k < from.count; ++k)
    for (int i = 0; i < from.block; ++i)
      if (moved(k, i) < 0 || moved(k, i) != quantity.column(k, i)) return false;
  return true;
}

bool anything_moves(const Table& table) {
  for (std::size_t c = 1; c < table.columns.size(); ++c)
    for (std::size_t row = 1; is_result(table.columns[c], false) && row < table.rows(); ++row)
      if (table.at(row, c) != table.at(0, c)) return true;
  return false;
}

// Instants that are sums of steps differ by roundoff.
bool same_instants(const Table& a, const Table& b) {
  if (a.columns != b.columns || a.rows() != b.rows() || a.rows() == 0) return false;
  const double span = std::max(std::abs(a.at(0, 0)), std::abs(a.at(a.rows() - 1, 0)));
  for (std::size_t k = 0; k < a.rows(); ++k)
    if (!(std::abs(a.at(k, 0) - b.at(k, 0)) <= 1e-12 * span)) return false;
  return true;
}

}  // namespace

Companion companion_of(const Record& record, const Catalog& catalog) {
  Companion companion{.scenario = record.scenario, .setting = {}};
  Scenario& s = companion.scenario;
  const Report& report = record.report;
  if (!report.traits.chooses_step) {
    s.step = 0.5 * report.run.step;
    s.every = 2 * report.every;
    companion.part_of_error = part_of_error(order_of_motion(report.traits));
    companion.part_of_multipliers = part_of_error(order_of_multipliers(record));
    companion.setting = fmt::format("half of the step, {} s", *s.step);
    return companion;
  }
  const std::set<std::string> names = tolerance_options(catalog, s.stepper),
                              all = tolerances_of_all_kinds(catalog, s.stepper);
  s.tolerance.reset();
  for (const OptionValue& option : report.options)
    if (const double* value = std::get_if<double>(&option.value);
        all.count(option.name) > 0 && value != nullptr)
      s.option(option.name, 0.1 * *value);
  companion.part_of_error = companion.part_of_multipliers = 0.9;
  companion.setting = fmt::format("a tenth of the tolerances, {:.3g}", 0.1 * finest_tolerance(report, names));
  return companion;
}

MeasuredBars error_bars(const Record& record, const Record& companion, const Companion& how) {
  MeasuredBars found{.summary = {.companion = how.setting}, .bars = {}};
  ErrorBars& summary = found.summary;
  summary.seconds = companion.report.seconds_build + companion.report.run.seconds_total;
  if (!companion.ok() || companion.report.run.interrupted) {
    summary.missing = "the companion did not reach the end: " + termination(companion.report);
    return found;
  }
  const Table &of = record.table, &with = companion.table;
  if (!same_instants(of, with)) {
    summary.missing = "the companion measured other instants";
    return found;
  }
  const bool of_bodies = std::any_of(of.columns.begin(), of.columns.end(),
                                     [](const std::string& name) { return name.starts_with("bodies/"); });
  Table& bars = found.bars;
  struct Kept {
    std::size_t column;
    double part;  // of the error, that the difference is
  };
  std::vector<Kept> kept;
  std::vector<int> column_of(of.columns.size(), -1);  // of the run, in the bars
  for (std::size_t c = 0; c < of.columns.size(); ++c) {
    const std::string& name = of.columns[c];
    if (c > 0 && !is_result(name, of_bodies)) continue;
    if (c > 0) kept.push_back({c, is_of_multipliers(name) ? how.part_of_multipliers : how.part_of_error});
    column_of[c] = static_cast<int>(bars.columns.size());
    bars.columns.push_back(name);
    bars.units.push_back(of.units[c]);
  }
  for (MeasuredColumns quantity : of.quantities)
    if (move_columns(quantity, column_of)) bars.quantities.push_back(std::move(quantity));
  for (std::size_t row = 0; row < of.rows(); ++row) {
    bars.values.push_back(of.at(row, 0));
    for (const Kept& k : kept) {
      const double difference = of.at(row, k.column) - with.at(row, k.column);
      bars.values.push_back(std::abs(difference) / k.part);
    }
  }
  for (std::size_t c = 1; c < bars.columns.size(); ++c) {
    const std::string quantity = quantity_of(bars.columns[c]);
    if (summary.bars.empty() || summary.bars.back().quantity != quantity)
      summary.bars.push_back({.quantity = quantity, .unit = bars.units[c], .column = bars.columns[c]});
    ErrorBar& bar = summary.bars.back();
    bar.at_end = std::max(bar.at_end, bars.at(bars.rows() - 1, c));
    for (std::size_t row = 0; row < bars.rows(); ++row)
      if (bars.at(row, c) > bar.largest) {
        bar.largest = bars.at(row, c);
        bar.t = bars.at(row, 0);
        bar.column = bars.columns[c];
      }
  }
  const bool differ = std::any_of(summary.bars.begin(), summary.bars.end(),
                                  [](const ErrorBar& bar) { return bar.largest > 0.0; });
  // A motion that the method takes to roundoff, a fall say, has no bars; steps that something else than the tolerances limits,
  // and a method whose estimate sees nothing, have none either, and errors.
  constexpr double roundoff = 1e-13;  // of the local error of a step
  const Culprit& local = record.report.run.largest_error;
  const bool exact = !local.quantity.empty() && local.value <= roundoff;
  if (!differ && !exact && record.report.traits.chooses_step && anything_moves(of)) {
    summary.missing = "the companion took the same steps: other tolerances do not change them";
    summary.bars.clear();
  }
  return found;
}

}  // namespace catena::detail
