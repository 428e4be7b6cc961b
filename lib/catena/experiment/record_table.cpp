#include <catena/experiment/detail/scenario_members.hpp>
#include <catena/experiment/parts/run_record.hpp>
#include <catena/output/detail/csv_table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace catena {
using namespace detail;
namespace {

std::string number(double x) { return fmt::format("{}", x); }

// A unit of 1 says nothing in the head of a column.
std::string shown(const std::string& unit) { return unit == "1" ? "" : unit; }

// The cells of one record by column; what is empty makes no column.
class Cells {
 public:
  std::vector<std::pair<RecordTable::Column, std::string>> cells;

  void add(const std::string& name, const std::string& text, const std::string& unit = {}) {
    if (!text.empty()) cells.push_back({{name, shown(unit)}, text});
  }
  // The last row.
  void add(const Table& table) {
    if (table.rows() == 0) return;
    for (std::size_t k = 0; k < table.columns.size(); ++k)
      if (table.columns[k] != "time")  // which is that of the report
        add(table.columns[k], number(table.at(table.rows() - 1, k)), table.units[k]);
  }
  // values: with the units; where the scenario was refused they may be missing.
  void add(const std::string& prefix, const Settings& settings, const std::vector<OptionValue>& values) {
    for (const auto& [name, text] : settings) {
      std::string unit;
      for (const OptionValue& value : values)
        if (value.name == name) unit = value.unit;
      add(prefix + name, text, unit);
    }
  }
};

// One member of the scenario.
struct MemberCells {
  const Report& report;
  Cells& cells;

  void operator()(const ScenarioMember& member, const std::string& text) const {
    cells.add(member.name, text);
  }
  void operator()(const ScenarioMember& member, const Settings& settings) const {
    const bool parameters = member.name == std::string_view("parameters");
    cells.add(parameters ? "set " : "option ", settings, parameters ? report.parameters : report.options);
  }
  template <class T>
  void operator()(const ScenarioMember& member, const std::optional<T>& value) const {
    if (value) cells.add(member.name, fmt::format("{}", *value), member.unit);
  }
};

Cells cells_of(const Record& record) {
  const Report& report = record.report;
  const RunResult& run = report.run;
  Cells cells;
  Scenario scenario = record.scenario;
  if (scenario.backend.empty()) scenario.backend = report.backend;  // of a stepper that brings its own
  const MemberCells member_cells{report, cells};
  each_member(
      [&](const ScenarioMember& member, auto at) { member_cells(member, std::as_const(scenario).*at); });
  if (!report.error.empty()) {
    cells.add("status", "refused");
    cells.add("error", report.error);
    return cells;
  }
  cells.add("status", to_string(run.status));
  cells.add("verdict", verdict(report));
  std::string keys;
  for (const Remark& remark : run.remarks)
    keys += (keys.empty() ? "" : " ") + std::string(to_string(remark.key));
  cells.add("remarks", keys);
  if (run.status != Status::ok) {
    cells.add("error", termination(report));
    cells.add("culprit", run.culprit.name);
    cells.add("culprit quantity", run.culprit.quantity);
    if (!run.culprit.quantity.empty()) cells.add("culprit value", number(run.culprit.value));
  }
  cells.add("t", number(run.t_end), "s");
  cells.add("steps", std::to_string(run.steps));
  for (const NamedPeak& peak : named_peaks())
    cells.add(peak.name, number((report.monitor.*peak.peak).value), peak.unit);
  cells.add(record.table);
  cells.add("seconds", number(run.seconds_total), "s");
  return cells;
}

}  // namespace

std::size_t RecordTable::column(const Column& wanted) {
  const auto at = std::find(columns_.begin(), columns_.end(), wanted);
  if (at != columns_.end()) return static_cast<std::size_t>(at - columns_.begin());
  columns_.push_back(wanted);
  for (Row& row : rows_) row.cells.emplace_back();
  return columns_.size() - 1;
}

void RecordTable::add(const Record& record) {
  if (!keys_.insert(record.key).second) return;
  rows_.push_back({record.key, std::vector<std::string>(columns_.size())});
  for (auto& [name, text] : cells_of(record).cells) {
    const std::size_t at = column(name);
    rows_.back().cells[at] = std::move(text);
  }
}

void RecordTable::merge(const RecordTable& other) {
  std::vector<std::size_t> to;
  for (const Column& wanted : other.columns_) to.push_back(column(wanted));
  for (const Row& row : other.rows_) {
    if (!keys_.insert(row.key).second) continue;
    rows_.push_back({row.key, std::vector<std::string>(columns_.size())});
    for (std::size_t k = 0; k < to.size(); ++k) rows_.back().cells[to[k]] = row.cells[k];
  }
}

std::string RecordTable::cell(std::size_t row, const std::string& column) const {
  for (std::size_t k = 0; k < columns_.size(); ++k)
    if (columns_[k].name == column && !rows_[row].cells[k].empty()) return rows_[row].cells[k];
  return {};
}

std::string RecordTable::to_csv() const {
  std::string text = "key";
  for (const Column& column : columns_) text += ',' + csv_cell(column.title());
  text += '\n';
  for (const Row& row : rows_) {
    text += row.key;
    for (const std::string& cell : row.cells) text += ',' + csv_cell(cell);
    text += '\n';
  }
  return text;
}

}  // namespace catena
