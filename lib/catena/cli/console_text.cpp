#include <catena/cli/detail/console_text.hpp>

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace catena::detail {

std::string signed_lines(const std::string& complaints) {
  std::string text = "catena: ";
  for (const char c : complaints) {
    text += c;
    if (c == '\n') text += "catena: ";
  }
  return text + '\n';
}

std::string unwritable(const std::string& file) {
  namespace fs = std::filesystem;
  const auto last_error = [] { return std::error_code(errno, std::generic_category()).message(); };
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (fs::is_directory(status)) return "it is a folder";
  if (fs::exists(status)) return access(file.c_str(), W_OK) == 0 ? "" : last_error();
  if (status.type() != fs::file_type::not_found) return error.message();
  const fs::path path(file);
  if (path.filename().empty()) return "it is the name of a folder";
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error)) return "there is no folder " + folder.string();
  return access(folder.c_str(), W_OK | X_OK) == 0 ? "" : last_error();
}

bool write_text(const std::string& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text << std::flush;
  return static_cast<bool>(stream);
}

}  // namespace catena::detail
