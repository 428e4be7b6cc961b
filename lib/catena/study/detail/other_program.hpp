// Runs another program, and keeps what it says.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace catena::detail {

// A new folder in that for temporary files, which goes with the object. Throws SinkError.
class FolderForAWhile {
 public:
  FolderForAWhile();
  FolderForAWhile(const FolderForAWhile&) = delete;
  FolderForAWhile& operator=(const FolderForAWhile&) = delete;
  ~FolderForAWhile();
  std::filesystem::path operator/(const char* file) const { return path_ / file; }

 private:
  std::filesystem::path path_;
};

struct ProgramEnd {
  int error = 0;   // errno, where it could not be started
  int status = 0;  // its exit status; 128 and the signal that ended it
};

// program: a file, or a name on the PATH. words: the file for what it writes to its standard output and error.
ProgramEnd run_program(const std::string& program, std::vector<std::string> arguments,
                       const std::filesystem::path& words);

}  // namespace catena::detail
