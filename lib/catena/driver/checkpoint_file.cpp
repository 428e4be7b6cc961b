// Files that are there as a whole or not at all.
#include <catena/driver/checkpoint.hpp>
#include <catena/driver/detail/write_fully.hpp>
#include <catena/driver/sink.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

namespace catena {
namespace {

[[noreturn]] void fail(const char* doing, const std::filesystem::path& file) {
  const int reason = errno;
  throw SinkError(std::string("cannot ") + doing + " " + file.string() + ": " +
                  std::generic_category().message(reason));
}

class Descriptor {
 public:
  Descriptor(const std::filesystem::path& path, int flags)
      : number_(open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    if (number_ < 0) fail(flags == O_RDONLY ? "open" : "create", path);
  }
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

void write_all(const Descriptor& to, const std::string& bytes, const std::filesystem::path& file) {
  if (detail::write_fully(to.number(), bytes.data(), bytes.size()) < bytes.size()) fail("write", file);
  if (fsync(to.number()) != 0) fail("write", file);
}

// A new file beside the one that it is going to replace: FILE.part, or FILE.1.part where that name is taken, and so on.
// A file that is there is somebody's and stays.
Descriptor new_part(const std::filesystem::path& file, std::filesystem::path& name) {
  for (int k = 0;; ++k) {
    name = file;
    name += k == 0 ? ".part" : "." + std::to_string(k) + ".part";
    const int number = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (number >= 0) return Descriptor(number);
    constexpr int most = 1000;  // names tried: each is the remains of a killed program
    if (errno != EEXIST || k == most) fail("create", name);
  }
}

}  // namespace

void write_durably(const std::filesystem::path& file, const std::string& bytes) {
  std::filesystem::path temporary;
  const Descriptor part = new_part(file, temporary);
  try {
    write_all(part, bytes, file);
    if (std::rename(temporary.c_str(), file.c_str()) != 0) fail("write", file);
  } catch (const SinkError&) {
    unlink(temporary.c_str());
    throw;
  }
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  const Descriptor entry(folder, O_RDONLY);
  // Some file systems refuse to sync a folder; their renames are as durable as they get.
  if (fsync(entry.number()) != 0 && errno != EINVAL) fail("write", file);
}

std::string read_whole(const std::filesystem::path& file) {
  std::error_code none;
  const std::filesystem::file_status status = std::filesystem::status(file, none);
  // /dev/zero, or a link to it, never ends.
  if (std::filesystem::is_character_file(status) || std::filesystem::is_block_file(status))
    throw CheckpointError("it is a device, not a file");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw CheckpointError("it cannot be read");
  std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (stream.bad()) throw CheckpointError("it cannot be read");
  return bytes;
}

}  // namespace catena
