#include <catena/output/detail/csv_table.hpp>
#include <catena/study/detail/common_unit.hpp>
#include <catena/study/detail/row_store.hpp>
#include <catena/study/detail/series_of_row.hpp>
#include <catena/study/parts/sweep_summary.hpp>

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace catena {
using namespace detail;

void SweepTable::write_csv(std::ostream& out, bool times) const {
  std::vector<std::string> columns{"row"}, titles{"row"};
  std::vector<bool> has_unit{false};  // a column of numbers whose unit is in its title
  for (const std::string& key : keys_) {
    columns.push_back(vary_prefix + key);
    const std::string unit = common_unit(*database_, columns.back());
    has_unit.push_back(!unit.empty());
    titles.push_back(unit.empty() ? key : key + " [" + unit + "]");
  }
  for (const char* const name : {"status", "verdict", "culprit", "error", "t [s]", "steps"}) {
    columns.emplace_back(name);
    titles.emplace_back(name);
  }
  columns.insert(columns.end(), quantities_.begin(), quantities_.end());
  titles.insert(titles.end(), quantities_.begin(), quantities_.end());
  if (times)
    for (const char* const name : {"seconds", "machine"}) {
      columns.emplace_back(name);
      titles.emplace_back(std::string_view(name) == "seconds" ? "seconds [s]" : name);
    }
  columns.emplace_back("key");
  titles.emplace_back("key");
  for (std::size_t k = 0; k < titles.size(); ++k) out << (k == 0 ? "" : ",") << csv_cell(titles[k]);
  out << '\n';
  Statement rows(*database_, "SELECT " + quoted_list(columns) + " FROM rows ORDER BY row");
  while (rows.next()) {
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const std::string cell = rows.cell(static_cast<int>(k));
      out << (k == 0 ? "" : ",") << csv_cell(k < has_unit.size() && has_unit[k] ? without_unit(cell) : cell);
    }
    out << '\n';
  }
}

void SweepTable::write_series_csv(std::ostream& out) const {
  const std::vector<std::string> names = series();
  out << "row";
  for (const std::string& name : names) out << ',' << csv_cell(name);
  out << '\n';
  Statement rows(*database_, "SELECT DISTINCT row FROM series ORDER BY row");
  std::string line;
  while (rows.next()) {
    const auto row = static_cast<std::size_t>(rows.whole(0));
    const std::vector<std::vector<double>> columns = series_of_row(*this, names, row);
    for (std::size_t k = 0; k < columns.front().size(); ++k) {
      line = std::to_string(row);
      for (const std::vector<double>& column : columns) {
        line += ',';
        append_number(line, column[k], Precision::float64);
      }
      out << line << '\n';
    }
  }
}

}  // namespace catena
