#include <catena/driver/sink.hpp>
#include <catena/output/detail/results_bytes.hpp>

#include <cstring>
#include <fstream>

namespace catena::detail {
namespace {

std::string as_bytes(const std::vector<std::uint64_t>& words) {
  std::string bytes(words.size() * 8, '\0');
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

}  // namespace

ResultsBytes::ResultsBytes(std::filesystem::path path, std::string doing, std::uint64_t count)
    : path_(std::move(path)), doing_(std::move(doing)), bytes_(count, '\0') {
  std::ifstream stream(path_, std::ios::binary);
  stream.read(bytes_.data(), static_cast<std::streamsize>(count));
  bytes_.resize(static_cast<std::size_t>(stream.gcount()));
}

void ResultsBytes::fail(const std::string& why) const {
  throw SinkError("cannot " + doing_ + " " + path_.string() + ": " + why);
}

// What is sought begins a message of an object header, of that type.
std::uint64_t ResultsBytes::only_place(const std::string& sought, const std::string& message) const {
  constexpr std::size_t message_header = 8;  // type, size, flags
  std::size_t found = 0;
  int count = 0;
  for (std::size_t at = bytes_.find(sought); at != std::string::npos; at = bytes_.find(sought, at + 1)) {
    if (at < message_header || bytes_.compare(at - message_header, message.size(), message) != 0) continue;
    found = at;
    ++count;
  }
  return count == 1 ? found : 0;
}

std::uint64_t ResultsBytes::place_of(const std::string& sought, const std::string& message,
                                     const char* what) const {
  const std::uint64_t found = only_place(sought, message);
  if (found == 0)
    fail(std::string("this version of the HDF5 library writes ") + what + " otherwise than Catena expects");
  return found;
}

// Behind version, rank and the flag that says that largest sizes are given.
std::uint64_t ResultsBytes::place_of_shape(const std::vector<std::uint64_t>& sizes) const {
  const std::string sought =
      std::string{1, static_cast<char>(sizes.size() / 2), 1, 0, 0, 0, 0, 0} + as_bytes(sizes);
  return place_of(sought, std::string("\1\0", 2), "the shape of a dataset") + 8;
}

// Behind version and kind.
std::uint64_t ResultsBytes::place_of_data(std::uint64_t address, std::uint64_t size) const {
  return place_of("\3\1" + as_bytes({address, size}), std::string("\10\0", 2), "the place of a dataset") + 2;
}

// Version and the lengths of three parts, which are filled up to multiples of eight: the name with its zero; the type, class 3
// of version 1, filled up with zeros; the shape, version 1 without axes.
std::uint64_t ResultsBytes::place_of_text(const std::string& name, std::uint64_t length) const {
  std::string padded = name;
  padded.resize((name.size() / 8 + 1) * 8, '\0');
  std::string sought{1, 0, static_cast<char>(name.size() + 1), 0, 8, 0, 8, 0};
  sought += padded;
  sought += as_bytes({0x113 | (length << 32U), 1});
  const std::uint64_t found = only_place(sought, std::string("\14\0", 2));
  return found == 0 ? 0 : found + sought.size();
}

void ResultsBytes::overwrite(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& words) const {
  std::fstream stream(path_, std::ios::in | std::ios::out | std::ios::binary);
  for (const auto& [at, word] : words) {
    char bytes[8];
    std::memcpy(bytes, &word, 8);
    stream.seekp(static_cast<std::streamoff>(at));
    stream.write(bytes, 8);
  }
  stream.flush();
  if (!stream) fail("it cannot be written");
}

}  // namespace catena::detail
