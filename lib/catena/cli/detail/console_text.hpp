// What commands have in common on the terminal and in the files that they write.
#pragma once
#include <catena/cli/cli.hpp>

#include <filesystem>
#include <string>

namespace catena::detail {

// The complaints as they are printed, each behind "catena: ".
std::string signed_lines(const std::string& complaints);

// In a handler, of what a problem could not be read or built for: prints the exception. Those of files that cannot be written
// are passed on.
ExitCode refused(const Console& console);

// Empty, or why the file cannot be written: "it is a folder". Touches nothing, so that a run that fails leaves no empty
// file behind, and pipes have one writer.
std::string unwritable(const std::string& file);

// Makes the folder. Throws SinkError, that nothing was run, where this file of it cannot be written.
void refuse_unwritable(const std::filesystem::path& folder, const std::string& name);

// Of a run that was stopped: 128 and the number of the signal.
ExitCode exit_code_of_signal(const Console& console);

// Replaces the file as a whole. False: it could not be written.
bool write_text(const std::string& file, const std::string& text);

}  // namespace catena::detail
