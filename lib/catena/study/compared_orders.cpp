#include <catena/study/detail/compared_orders.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace catena::detail {
namespace {

// A run whose steps were cut more often is not one with the step that was asked for.
constexpr double most_cut = 1.2;

// Of sums over the steps of a run, of which an exact solution is free and no run is: a thousand rounded additions.
constexpr double roundoff = 1e3 * std::numeric_limits<double>::epsilon();

// The error at the end may happen to be small, and then falls with another order than the largest one. It is asked only where
// the largest one leaves more open than 0.05, which orders are to be known to, and where it says the same more sharply:
// with as many points, and an interval inside of the other.
bool sharpens(const FittedOrder& end, const FittedOrder& largest) {
  constexpr double sharp = 0.05;
  return end.known() && largest.known() && largest.uncertainty > sharp && end.points >= largest.points &&
         std::abs(end.order - largest.order) + end.uncertainty < largest.uncertainty;
}

// By the mean step or the tolerance. Of runs that took as many steps, which may be one and the same run, that with the
// smallest step asked for: it was cut least.
using RunsOfStepper = std::map<double, const ComparedRun*>;

RunsOfStepper usable_runs(const ProblemComparison& comparison, std::size_t first, std::size_t last) {
  RunsOfStepper runs;
  for (std::size_t k = first; k < last; ++k) {
    const ComparedRun& run = comparison.runs[k];
    if (!run.ok()) continue;
    const double wanted = run.controlled ? 0.0 : (comparison.end - comparison.begin) / run.setting;
    if (!run.controlled && static_cast<double>(run.steps) > most_cut * wanted + 1.0) continue;
    const ComparedRun*& there = runs[run.controlled ? run.setting : run.mean_step];
    if (there == nullptr || run.setting < there->setting) there = &run;
  }
  return runs;
}

FittedOrder fitted(const RunsOfStepper& runs, const ReferenceMotion& reference, Part part, bool at_end) {
  std::vector<OrderPoint> points;
  for (const auto& [step, run] : runs) points.push_back({step, (at_end ? run->at_end : run->largest)[part]});
  const double estimate = (at_end ? reference.estimate_at_end : reference.estimate)[part],
               rounded = roundoff * reference.extent[part];
  return fitted_order(std::move(points), std::fmax(estimate, rounded));
}

}  // namespace

std::vector<ComparedOrders> compared_orders(const ProblemComparison& comparison,
                                            const std::map<std::string, Traits>& traits) {
  std::vector<ComparedOrders> all;
  const std::vector<ComparedRun>& rows = comparison.runs;
  for (std::size_t first = 0, last = 0; first < rows.size(); first = last) {
    while (last < rows.size() && rows[last].stepper == rows[first].stepper) ++last;
    ComparedOrders orders{.stepper = rows[first].stepper, .controlled = rows[first].controlled};
    if (const auto found = traits.find(orders.stepper.label()); found != traits.end()) {
      const Traits& t = found->second;
      orders.promised = {t.order_q, t.order_q, t.order_v, t.order_v, t.order_lambda};
    }
    const RunsOfStepper runs = usable_runs(comparison, first, last);
    bool any = false;
    for (const Part part : all_parts) {
      const auto p = static_cast<std::size_t>(part);
      const FittedOrder largest = fitted(runs, comparison.reference, part, false),
                        end = fitted(runs, comparison.reference, part, true);
      orders.of_end[p] = sharpens(end, largest);
      orders.fitted[p] = orders.of_end[p] ? end : largest;
      any = any || orders.fitted[p].given > 0;
    }
    if (any) all.push_back(std::move(orders));
  }
  return all;
}

}  // namespace catena::detail
