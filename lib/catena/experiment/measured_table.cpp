#include <catena/experiment/parts/measured_table.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/math/detail/large_pages.hpp>
#include <catena/math/detail/nearest.hpp>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace catena {
using namespace detail;
namespace {

// For so many more numbers, in twice the memory where there is none left. It is written for the first time as the table grows, a
// page fault for each 4 KB: three quarters of the time of a run of 100 bodies that records all.
void grow_for(std::size_t more, std::vector<double>& values) {
  if (values.size() + more <= values.capacity()) return;
  std::vector<double> larger;
  larger.reserve(std::max(2 * values.capacity(), values.size() + more));
  ask_for_large_pages(larger.data(), larger.capacity() * sizeof(double));
  larger.insert(larger.end(), values.begin(), values.end());
  values.swap(larger);
}

}  // namespace

std::size_t Table::find(const std::string& name) const {
  const auto at = std::find(columns.begin(), columns.end(), name);
  if (at != columns.end()) return static_cast<std::size_t>(at - columns.begin());
  const std::string hint = nearest_hint(name, columns);
  throw std::invalid_argument("the table has no column \"" + name + '"' + (hint.empty() ? "" : ": " + hint));
}

std::vector<double> Table::column(const std::string& name) const {
  const std::size_t which = find(name);
  std::vector<double> numbers(rows());
  for (std::size_t row = 0; row < numbers.size(); ++row) numbers[row] = at(row, which);
  return numbers;
}

const std::string& Table::unit(const std::string& name) const { return units[find(name)]; }

double Table::last(const std::string& name) const {
  const std::size_t which = find(name);
  return rows() == 0 ? std::numeric_limits<double>::quiet_NaN() : at(rows() - 1, which);
}

TableSink::TableSink(Selection selection, MeasureSources sources, Table& table)
    : selection_(std::move(selection)), sources_(std::move(sources)), table_(table) {}

void TableSink::begin(const System& system) {
  measurements_ = std::make_unique<Measurements>(system, selection_, sources_);
  table_ = {.columns = measurements_->column_names(), .quantities = measurements_->columns()};
  table_.units.resize(table_.columns.size());
  for (const MeasuredColumns& c : measurements_->columns())
    for (int k = 0; k < c.count; ++k)
      for (int i = 0; i < c.block; ++i) table_.units[index(c.column(k, i))] = c.quantity.unit;
}

void TableSink::accept(const State& state, const Outcome& outcome) {
  row_.resize(table_.columns.size());
  (*measurements_)(state, outcome, row_.data());
  grow_for(row_.size(), table_.values);
  table_.values.insert(table_.values.end(), row_.begin(), row_.end());
}

}  // namespace catena
