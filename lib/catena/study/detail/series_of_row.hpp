// All that a row of a sweep kept over time.
#pragma once
#include <catena/study/parts/sweep_summary.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace catena::detail {

// names: of table.series(), whose order it has. Throws UsageError where they are not as long as one another.
std::vector<std::vector<double>> series_of_row(const SweepTable& table, const std::vector<std::string>& names,
                                               std::size_t row);

}  // namespace catena::detail
