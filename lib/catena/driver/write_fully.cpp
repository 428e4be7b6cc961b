#include <catena/driver/detail/write_fully.hpp>

#include <unistd.h>

#include <cerrno>

namespace catena::detail {
namespace {

// some(from, count, done): writes some of the bytes behind those that are done.
template <class Some>
std::size_t write_by(const Some& some, const void* bytes, std::size_t size) {
  const char* const from = static_cast<const char*>(bytes);
  std::size_t done = 0;
  while (done < size) {
    const ssize_t n = some(from + done, size - done, done);
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) errno = EIO;
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  return done;
}

}  // namespace

std::size_t write_fully(int file, const void* bytes, std::size_t size) {
  return write_by(
      [&](const char* from, std::size_t count, std::size_t) { return ::write(file, from, count); }, bytes,
      size);
}

std::size_t write_fully_at(int file, const void* bytes, std::size_t size, std::uint64_t at) {
  return write_by(
      [&](const char* from, std::size_t count, std::size_t done) {
        return ::pwrite(file, from, count, static_cast<off_t>(at + done));
      },
      bytes, size);
}

}  // namespace catena::detail
