#include <catena/cli/detail/console_text.hpp>
#include <catena/driver/checkpoint.hpp>
#include <catena/driver/sink.hpp>
#include <catena/experiment/parts/usage_error.hpp>

#include <unistd.h>

#include <cerrno>
#include <exception>
#include <filesystem>
#include <fstream>
#include <new>
#include <ostream>
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

ExitCode refused(const Console& console) {
  try {
    throw;
  } catch (const SinkError&) {
    throw;
  } catch (const ScenarioError& error) {
    if (!error.in_file().empty()) console.err << error.in_file() << '\n';
    if (!error.others().empty()) console.err << signed_lines(error.others());
  } catch (const FileError& error) {
    console.err << error.what() << '\n';
  } catch (const std::bad_alloc&) {
    console.err << "catena: not enough memory for this problem\n";
  } catch (const std::exception& error) {  // UsageError, ModelError, and what a user's problem throws
    console.err << signed_lines(error.what());
  }
  return exit_bad_input;
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

void refuse_unwritable(const std::filesystem::path& folder, const std::string& name) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::string file = (folder / name).string(), why = error ? error.message() : unwritable(file);
  if (!why.empty()) throw SinkError("cannot write " + file + ": " + why + "; nothing was run");
}

ExitCode exit_code_of_signal(const Console& console) {
  const int signal = console.signal != nullptr ? console.signal->load() : 0;
  return signal == 0 ? exit_interrupted : static_cast<ExitCode>(128 + signal);
}

bool write_text(const std::string& file, const std::string& text) {
  std::error_code error;
  const std::filesystem::path target = std::filesystem::weakly_canonical(file, error);
  const std::filesystem::file_status status = std::filesystem::status(target, error);
  // Whole or not at all, where the file and its folder let us; pipes and devices take what comes.
  if (!target.empty() && (std::filesystem::is_regular_file(status) || !std::filesystem::exists(status)) &&
      access(target.parent_path().c_str(), W_OK | X_OK) == 0)
    try {
      write_durably(target, text);
      return true;
    } catch (const SinkError&) {
      return false;
    }
  std::ofstream stream(file, std::ios::binary);
  stream << text << std::flush;
  return static_cast<bool>(stream);
}

}  // namespace catena::detail
