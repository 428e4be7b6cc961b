#include <catena/cli/detail/progress.hpp>
#include <catena/cli/detail/sweep_text.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace catena::detail {
namespace {

constexpr std::size_t most_failures = 10, most_groups = 40;

// The peaks of every run are in the table; the summary shows them where nothing else was kept.
std::vector<std::size_t> shown_quantities(const std::vector<std::string>& names) {
  std::vector<std::size_t> kept, all;
  for (std::size_t q = 0; q < names.size(); ++q) {
    all.push_back(q);
    if (!names[q].starts_with("peaks/")) kept.push_back(q);
  }
  return kept.empty() ? all : kept;
}

// Some rows that are ok have no number of the quantity: a column says how many have one.
bool is_partial(const SweepSummary& summary, std::size_t q) {
  return std::any_of(summary.groups.begin(), summary.groups.end(),
                     [q](const SummaryGroup& group) { return group.spreads[q].count < group.ok(); });
}

std::string group_line(const SummaryGroup& group, const Spread& s, std::size_t width, bool counted) {
  std::string line = fmt::format("  {:<{}} {:>8} {:>8}", group.name, width, group.rows, group.failed);
  if (counted) line += fmt::format(" {:>8}", s.count);
  if (s.count > 0)
    line += fmt::format(" {:>12.5g} {:>12} {:>12.5g} {:>12.5g}", s.mean,
                        s.count > 1 ? fmt::format("{:.5g}", s.deviation) : "-", s.least, s.largest);
  return line + '\n';
}

std::string indices_text(const SobolIndices& found) {
  if (!found.why_none.empty()) return '\n' + found.why_none + '\n';
  if (found.points == 0) return {};
  std::string text =
      fmt::format("\nSobol indices of {} points{}\n", found.points,
                  found.dropped == 0 ? "" : fmt::format(", {} that miss a row left out", found.dropped));
  for (const std::string& name : found.without)
    if (!name.starts_with("peaks/"))
      text += name + ": none, because no point has a number of it in all of its rows\n";
  for (const std::string& name : found.constant)
    if (!name.starts_with("peaks/")) text += name + ": none, because it does not vary\n";
  std::string quantity;
  for (const SobolIndex& index : found.indices) {
    if (index.quantity.starts_with("peaks/")) continue;
    if (index.quantity != quantity)
      text += fmt::format(
          "{:<40} {:>18} {:>18}\n",
          index.quantity + (index.points == found.points ? "" : fmt::format(", of {} points", index.points)),
          "first", "total");
    quantity = index.quantity;
    const auto part = [](double value, double uncertainty) {
      return fmt::format("{:.4f} +- {:.4f}", value, uncertainty);
    };
    text += fmt::format("  {:<38} {:>18} {:>18}\n", index.key, part(index.first, index.first_uncertainty),
                        part(index.total, index.total_uncertainty));
  }
  return text;
}

}  // namespace

std::string progress_line(const SweepCounts& counts, double seconds) {
  constexpr int cells = 30;
  const std::size_t done = counts.ok + counts.failed;
  const int full =
      counts.rows == 0
          ? cells
          : static_cast<int>(static_cast<double>(done) / static_cast<double>(counts.rows) * cells);
  std::string text = fmt::format("[{:#<{}}{:-<{}}] {} of {} rows, {} failed", "", full, "", cells - full,
                                 done, counts.rows, counts.failed);
  if (const std::size_t here = done - counts.done_before; here > 0)
    text += fmt::format("   {} left",
                        clock_text(seconds * static_cast<double>(counts.left()) / static_cast<double>(here)));
  return text;
}

std::string counts_text(const SweepCounts& counts, const std::string& shard) {
  std::string text = fmt::format("{} rows{}: {} ok, {} failed", counts.rows,
                                 shard.empty() ? "" : " of shard " + shard, counts.ok, counts.failed);
  if (counts.crashed > 0) text += fmt::format(" ({} crashed)", counts.crashed);
  text += fmt::format(", {} left", counts.left());
  if (counts.done_before > 0) text += fmt::format("; {} were there before", counts.done_before);
  return text + '\n';
}

std::string sweep_text(const SweepTable& table) {
  std::string text;
  for (const std::string& line : table.failures(most_failures)) text += "  " + line + '\n';
  if (const std::size_t failed = table.failed(); failed > most_failures)
    text += fmt::format("  and {} more\n", failed - most_failures);
  const SweepSummary summary = table.summary();
  std::size_t width = 38;
  for (const SummaryGroup& group : summary.groups) width = std::max(width, group.name.size());
  for (const std::size_t q : shown_quantities(summary.quantities)) {
    const bool counted = is_partial(summary, q);
    text +=
        fmt::format("\n{:<{}} {:>8} {:>8}{} {:>12} {:>12} {:>12} {:>12}\n", summary.quantities[q], width + 2,
                    "rows", "failed", counted ? "  counted" : "", "mean", "deviation", "least", "largest");
    for (std::size_t k = 0; k < std::min(most_groups, summary.groups.size()); ++k)
      text += group_line(summary.groups[k], summary.groups[k].spreads[q], width, counted);
    if (summary.groups.size() > most_groups)
      text += fmt::format("  and {} more values\n", summary.groups.size() - most_groups);
  }
  return text + indices_text(table.sobol_indices());
}

}  // namespace catena::detail
