#include <catena/experiment/parts/usage_error.hpp>
#include <catena/study/detail/series_of_row.hpp>

#include <fmt/format.h>

namespace catena::detail {

std::vector<std::vector<double>> series_of_row(const SweepTable& table, const std::vector<std::string>& names,
                                               std::size_t row) {
  std::vector<std::vector<double>> columns;
  for (const std::string& name : names) {
    columns.push_back(table.series(row, name));
    if (columns.back().size() != columns.front().size())
      throw UsageError(
          fmt::format("the table of the sweep is damaged: row {} has {} numbers of {}, and {} of {}", row,
                      columns.front().size(), names.front(), columns.back().size(), name));
  }
  return columns;
}

}  // namespace catena::detail
