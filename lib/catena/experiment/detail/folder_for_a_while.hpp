// A folder for files that are passed on.
#pragma once
#include <filesystem>

namespace catena::detail {

// A new folder in that for temporary files, which goes with the object. Throws SinkError.
class FolderForAWhile {
 public:
  FolderForAWhile();
  FolderForAWhile(const FolderForAWhile&) = delete;
  FolderForAWhile& operator=(const FolderForAWhile&) = delete;
  ~FolderForAWhile();
  std::filesystem::path operator/(const std::filesystem::path& file) const { return path_ / file; }

 private:
  std::filesystem::path path_;
};

}  // namespace catena::detail
