// Text into files of a study.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace catena::detail {

// ",0.25": a cell behind another one, in the fewest digits that read back to the same bits; a number that is not finite
// is an empty cell.
std::string number_cell(double value);

// The text in letters, digits, '_' and '-'.
std::string file_name(std::string text);

// Throws UsageError where one of the names is there, and the list of Catena's files in the folder does not have it.
void refuse_foreign(const std::filesystem::path& folder, const std::vector<std::string>& names);
// Removes what the list of Catena's files has of these names, but those in `written`.
void remove_others(const std::filesystem::path& folder, const std::vector<std::string>& names,
                   const std::vector<std::string>& written);
// Makes the folder where there is none, and adds the names to its list. Throws SinkError, of foreign files too.
void claim_files(const std::filesystem::path& folder, const std::vector<std::string>& names);
// Replaces the file. Throws SinkError.
void write_file(const std::filesystem::path& file, const std::string& text);

}  // namespace catena::detail
