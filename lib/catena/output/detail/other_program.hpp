// Runs another program, and keeps what it says.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace catena::detail {

struct ProgramEnd {
  int error = 0;   // errno, where it could not be started
  int status = 0;  // its exit status; 128 and the signal that ended it
};

// program: a file, or a name on the PATH. words: the file for what it writes to its standard output and error; empty: it
// writes where this program does. Throws SinkError where its end cannot be known.
ProgramEnd run_program(const std::string& program, std::vector<std::string> arguments,
                       const std::filesystem::path& words);

}  // namespace catena::detail
