#include <catena/io/detail/model_reader.hpp>
#include <catena/io/read_model.hpp>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>

namespace catena {
using namespace detail;

namespace {

// Open for reading; closed at the end.
class Input {
 public:
  explicit Input(const std::string& path) : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (file_ < 0) throw std::runtime_error(std::string("cannot be opened: ") + std::strerror(errno));
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  ~Input() { close(file_); }

  // Waits until there are bytes to read, or the end. False: not within that time [ms].
  bool wait(int time) const {
    pollfd asked{file_, POLLIN, 0};
    int ready = 0;
    do ready = poll(&asked, 1, time);
    while (ready < 0 && errno == EINTR);
    return ready != 0;
  }
  // At most `size` bytes; 0: the end.
  std::size_t read(char* to, std::size_t size) const {
    while (true) {
      const ssize_t n = ::read(file_, to, size);
      if (n >= 0) return static_cast<std::size_t>(n);
      if (errno == EAGAIN)
        wait(-1);
      else if (errno != EINTR)
        throw std::runtime_error(std::string("cannot be read: ") + std::strerror(errno));
    }
  }

 private:
  int file_;
};

// Opening one for reading without O_NONBLOCK would wait for a writer that may never come. The pipes of the shell,
// /dev/stdin and <(command), have a writer from the start; they are read to their end without a limit of time.
bool is_named_pipe(const std::string& path, const std::filesystem::file_status& status) {
  if (!std::filesystem::is_fifo(status)) return false;
  std::error_code error;
  const std::string target = std::filesystem::canonical(path, error).string();
  return !error && std::filesystem::is_fifo(target);
}

}  // namespace

std::string load_file(const std::string& path, std::size_t most_bytes) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found)
    throw std::runtime_error("there is no such file");
  if (std::filesystem::is_directory(status)) throw std::runtime_error("this is a folder, not a file");
  const Input input(path);
  constexpr int patience = 2000;  // [ms]
  if (is_named_pipe(path, status) && !input.wait(patience))
    throw std::runtime_error(
        "this is a named pipe that nothing was written to within 2 s: give a file, or start what "
        "writes to the pipe first");
  std::string text;
  if (std::filesystem::is_regular_file(status)) {
    const auto size = std::filesystem::file_size(path, error);
    if (!error && size <= most_bytes) text.reserve(static_cast<std::size_t>(size) + 1);
  }
  constexpr std::size_t piece = 1U << 20U;
  while (text.size() <= most_bytes) {
    const std::size_t before = text.size();
    text.resize(before + piece);
    const std::size_t got = input.read(text.data() + before, piece);
    text.resize(before + got);
    if (got == 0) break;
    // A byte of zero is in no text: the reader will say where it is, and the rest of /dev/zero is not read.
    if (text.find('\0', before) != std::string::npos) break;
  }
  if (text.size() > most_bytes)
    throw std::runtime_error("has more than " + std::to_string(most_bytes) + " bytes");
  return text;
}

ModelFile read_model_file(const std::string& path, const ElementTypes& types, const LoadFile& load,
                          const ReadLimits& limits, const ReadRest& rest, const Settings& parameters) {
  return ModelReader(types, load, limits, parameters).read(path, rest);
}

ModelFile read_model_file(const std::string& path, const ElementTypes& types, const ReadLimits& limits,
                          const ReadRest& rest, const Settings& parameters) {
  return read_model_file(
      path, types, [&](const std::string& file) { return load_file(file, limits.bytes); }, limits, rest,
      parameters);
}

}  // namespace catena
