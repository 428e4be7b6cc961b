#include <catena/driver/sink.hpp>
#include <catena/experiment/detail/folder_for_a_while.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

namespace catena::detail {

FolderForAWhile::FolderForAWhile() {
  std::error_code error;
  std::string name = (std::filesystem::temp_directory_path(error) / "catena-XXXXXX").string();
  if (!error && ::mkdtemp(name.data()) == nullptr) error.assign(errno, std::generic_category());
  if (error) {
    const char* const set = std::getenv("TMPDIR");
    throw SinkError(fmt::format(
        "there is no folder for temporary files{}: {}; set TMPDIR to one that is there and can be written to",
        set == nullptr ? "" : fmt::format(", TMPDIR is {}", set), error.message()));
  }
  path_ = name;
}

FolderForAWhile::~FolderForAWhile() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace catena::detail
