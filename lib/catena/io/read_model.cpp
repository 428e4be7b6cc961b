#include <catena/io/model_reader.hpp>
#include <catena/io/read_model.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace catena {

std::string load_file(const std::string& path, std::size_t most_bytes) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found)
    throw std::runtime_error("there is no such file");
  if (std::filesystem::is_directory(status)) throw std::runtime_error("this is a folder, not a file");
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw std::runtime_error(std::string("cannot be opened: ") + std::strerror(errno));
  std::string text;
  if (std::filesystem::is_regular_file(status)) {
    const auto size = std::filesystem::file_size(path, error);
    if (!error && size <= most_bytes) text.reserve(static_cast<std::size_t>(size) + 1);
  }
  constexpr std::size_t piece = 1U << 20U;
  while (stream && text.size() <= most_bytes) {
    const std::size_t before = text.size();
    text.resize(before + piece);
    stream.read(text.data() + before, static_cast<std::streamsize>(piece));
    text.resize(before + static_cast<std::size_t>(stream.gcount()));
  }
  if (text.size() > most_bytes)
    throw std::runtime_error("has more than " + std::to_string(most_bytes) + " bytes");
  if (stream.bad()) throw std::runtime_error("cannot be read");
  return text;
}

ModelFile read_model_file(const std::string& path, const ElementTypes& types, const LoadFile& load,
                          const ReadLimits& limits) {
  return ModelReader(types, load, limits).read(path);
}

ModelFile read_model_file(const std::string& path, const ElementTypes& types, const ReadLimits& limits) {
  return read_model_file(
      path, types, [&](const std::string& file) { return load_file(file, limits.bytes); }, limits);
}

}  // namespace catena
