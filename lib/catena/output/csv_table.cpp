#include <catena/output/csv_table.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <iterator>
#include <system_error>
#include <utility>

namespace catena {
namespace {

constexpr std::size_t buffer_size = 1 << 16;

}  // namespace

CsvTable::CsvTable(std::filesystem::path path, std::string_view header) : path_(std::move(path)) {
  file_ = std::fopen(path_.c_str(), "wb");
  if (file_ == nullptr) fail("create");
  buffer_.reserve(2 * buffer_size);
  buffer_ = header;
  buffer_ += '\n';
}

CsvTable::~CsvTable() {
  if (file_ == nullptr) return;
  std::fwrite(buffer_.data(), 1, buffer_.size(), file_);
  std::fclose(file_);
}

void CsvTable::separate() {
  if (row_begun_) buffer_ += ',';
  row_begun_ = true;
}

void CsvTable::text(std::string_view cell) {
  separate();
  if (cell.find_first_of(",\"\r\n") == std::string_view::npos) {
    buffer_ += cell;
    return;
  }
  buffer_ += '"';
  for (const char c : cell) {
    if (c == '"') buffer_ += '"';
    buffer_ += c;
  }
  buffer_ += '"';
}

void CsvTable::number(double value) {
  separate();
  fmt::format_to(std::back_inserter(buffer_), "{:.17g}", value);
}

void CsvTable::number(long value) {
  separate();
  fmt::format_to(std::back_inserter(buffer_), "{}", value);
}

void CsvTable::end_row() {
  buffer_ += '\n';
  row_begun_ = false;
  if (buffer_.size() >= buffer_size) flush();
}

void CsvTable::flush() {
  const std::size_t written = std::fwrite(buffer_.data(), 1, buffer_.size(), file_);
  if (written != buffer_.size() || std::fflush(file_) != 0) fail("write");
  buffer_.clear();
}

void CsvTable::close() {
  if (file_ == nullptr) return;
  flush();
  if (std::fclose(std::exchange(file_, nullptr)) != 0) fail("close");
}

void CsvTable::fail(const char* doing) {
  const int reason = errno;
  if (file_ != nullptr) std::fclose(std::exchange(file_, nullptr));
  throw SinkError(
      fmt::format("cannot {} {}: {}", doing, path_.string(), std::generic_category().message(reason)));
}

}  // namespace catena
