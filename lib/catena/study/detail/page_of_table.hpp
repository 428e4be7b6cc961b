// Comparisons, scaling studies and sweeps as cards of the page of a report (output/detail/page_file.hpp).
#pragma once
#include <filesystem>
#include <string>

namespace catena::detail {

// Of a folder that compare, scale or sweep has written, by its files; empty: it is none of these. Throws UsageError and
// SinkError where they cannot be read.
std::string page_of_table(const std::filesystem::path& folder);

}  // namespace catena::detail
