// What commands have in common on the terminal and in the files that they write.
#pragma once
#include <string>

namespace catena::detail {

// The complaints as they are printed, each behind "catena: ".
std::string signed_lines(const std::string& complaints);

// Empty, or why the file cannot be written: "it is a folder". Touches nothing, so that a run that fails leaves no empty
// file behind, and pipes have one writer.
std::string unwritable(const std::string& file);

// Replaces the file. False: it could not be written.
bool write_text(const std::string& file, const std::string& text);

}  // namespace catena::detail
