// Text into files of a study.
#pragma once
#include <filesystem>
#include <string>

namespace catena::detail {

// ",0.25": a cell behind another one, in the fewest digits that read back to the same bits; a number that is not finite
// is an empty cell.
std::string number_cell(double value);

// The text in letters, digits, '_' and '-'.
std::string file_name(std::string text);

// Makes the folder where there is none. Throws SinkError.
void make_folder(const std::filesystem::path& folder);
// Replaces the file. Throws SinkError.
void write_file(const std::filesystem::path& file, const std::string& text);

}  // namespace catena::detail
