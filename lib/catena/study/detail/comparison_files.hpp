// A comparison as files: what it was, what came of it, and pictures.
#pragma once
#include <catena/study/detail/method_comparison.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace catena::detail {

inline constexpr const char* comparison_file = "compare.json";

// The whole as one JSON object: manifest, request, and each problem with its reference, rows and orders. Numbers that are
// not known are null. docs/reference/compare.md lists the keys.
std::string comparison_json(const CompareRequest& request, const std::vector<ProblemComparison>& problems,
                            const Catalog& catalog);
// One row a run, RFC 4180.
std::string comparison_csv(const std::vector<ProblemComparison>& problems);

// The files that a comparison of these problems may write.
std::vector<std::string> comparison_names(const std::vector<std::string>& problems);

// Writes compare.json, compare.csv, and for each problem error over step and error over time of positions, velocities and
// multipliers, with gnuplot where it is installed. Returns what was not drawn, a sentence or nothing. Throws SinkError.
std::string write_comparison(const std::filesystem::path& folder, const CompareRequest& request,
                             const std::vector<ProblemComparison>& problems, const Catalog& catalog);

// Whether the two ask for the same.
bool same_request(const CompareRequest& a, const CompareRequest& b);

// The request in the folder of an earlier comparison. Throws UsageError.
CompareRequest earlier_request(const std::filesystem::path& folder);

// How the rows differ from those in the folder that were run to their ends: "all 24 rows have the same errors, bit for bit",
// or how many have not, and the first of them; and how many an interrupted comparison had not run. Throws UsageError.
std::string compared_with_earlier(const std::filesystem::path& folder,
                                  const std::vector<ProblemComparison>& problems);

}  // namespace catena::detail
