#include <catena/experiment/parts/run_record.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace catena {
using namespace detail;
namespace {

using Cells = std::vector<std::pair<std::string, std::string>>;

Cells cells_of(const Record& record) {
  const Report& report = record.report;
  const auto number = [](double x) { return fmt::format("{}", x); };
  Cells cells{{"problem", record.scenario.problem}, {"stepper", record.scenario.stepper}};
  for (const auto& [name, value] : record.scenario.parameters) cells.emplace_back("set " + name, value);
  if (record.scenario.seed) cells.emplace_back("seed", std::to_string(*record.scenario.seed));
  for (const auto& [name, value] : record.scenario.options) cells.emplace_back("option " + name, value);
  cells.emplace_back("backend", report.backend);
  if (record.scenario.step) cells.emplace_back("step [s]", number(*record.scenario.step));
  if (record.scenario.end) cells.emplace_back("end [s]", number(*record.scenario.end));
  cells.emplace_back("status", report.error.empty() ? to_string(report.run.status) : report.error);
  cells.emplace_back("t [s]", number(report.run.t_end));
  cells.emplace_back("steps", std::to_string(report.run.steps));
  cells.emplace_back("energy error", number(report.monitor.energy_error_max()));
  cells.emplace_back("position residual", number(report.monitor.position.value));
  cells.emplace_back("velocity residual", number(report.monitor.velocity.value));
  const Table& table = record.table;
  for (std::size_t k = 0; k < table.columns.size() && table.rows() > 0; ++k)
    cells.emplace_back(table.columns[k] + " [" + table.units[k] + "]", number(table.at(table.rows() - 1, k)));
  cells.emplace_back("seconds", number(report.run.seconds_total));
  return cells;
}

// RFC 4180.
std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}  // namespace

std::size_t RecordTable::column(const std::string& name) {
  const auto at = std::find(columns_.begin(), columns_.end(), name);
  if (at != columns_.end()) return static_cast<std::size_t>(at - columns_.begin());
  columns_.push_back(name);
  for (Row& row : rows_) row.cells.emplace_back();
  return columns_.size() - 1;
}

void RecordTable::add(const Record& record) {
  RecordTable one;
  one.rows_.push_back({record.key, {}});
  for (const auto& [name, text] : cells_of(record)) one.rows_.front().cells[one.column(name)] = text;
  merge(one);
}

void RecordTable::merge(const RecordTable& other) {
  std::vector<std::size_t> to;
  for (const std::string& name : other.columns_) to.push_back(column(name));
  for (const Row& row : other.rows_) {
    if (!keys_.insert(row.key).second) continue;
    rows_.push_back({row.key, std::vector<std::string>(columns_.size())});
    for (std::size_t k = 0; k < to.size(); ++k) rows_.back().cells[to[k]] = row.cells[k];
  }
}

std::string RecordTable::cell(std::size_t row, const std::string& column) const {
  const auto at = std::find(columns_.begin(), columns_.end(), column);
  return at == columns_.end() ? "" : rows_[row].cells[static_cast<std::size_t>(at - columns_.begin())];
}

std::string RecordTable::to_csv() const {
  std::string text = "key";
  for (const std::string& name : columns_) text += ',' + csv_cell(name);
  text += '\n';
  for (const Row& row : rows_) {
    text += row.key;
    for (const std::string& cell : row.cells) text += ',' + csv_cell(cell);
    text += '\n';
  }
  return text;
}

}  // namespace catena
