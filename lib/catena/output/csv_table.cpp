#include <catena/output/detail/csv_table.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <limits>
#include <system_error>
#include <utility>

namespace catena::detail {
namespace {

constexpr std::size_t buffer_size = 1 << 16;

// A row with its end of line, which may hold others in quotes. False: there is no whole row left.
bool read_row(std::istream& in, std::string& row) {
  row.clear();
  std::string part;
  while (std::getline(in, part)) {
    if (in.eof()) return false;  // without its end
    row += part;
    row += '\n';
    if (std::count(row.begin(), row.end(), '"') % 2 == 0) return true;
  }
  return false;
}

double number_of(std::string_view cell) {
  double value = std::numeric_limits<double>::quiet_NaN();
  std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return value;
}

}  // namespace

std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string cell = "\"";
  for (const char c : text) {
    if (c == '"') cell += '"';
    cell += c;
  }
  return cell + '"';
}

void append_number(std::string& text, double value, Precision precision) {
  char digits[32];
  const std::to_chars_result end =
      precision == Precision::float32
          ? std::to_chars(digits, digits + sizeof digits, static_cast<float>(value))
          : std::to_chars(digits, digits + sizeof digits, value);
  text.append(digits, end.ptr);
}

CsvTable::CsvTable(std::filesystem::path path, std::string_view header) : path_(std::move(path)) {
  file_ = std::fopen(path_.c_str(), "wb");
  if (file_ == nullptr) fail("create");
  buffer_.reserve(buffer_size + buffer_size / 2);
  buffer_ = header;
  buffer_ += '\n';
}

CsvTable::CsvTable(std::filesystem::path path, std::string_view header, double last)
    : path_(std::move(path)) {
  const auto refuse = [&](const std::string& why) {
    throw SinkError(fmt::format("cannot resume {}: {}", path_.string(), why));
  };
  std::uintmax_t kept = 0;
  double t = -std::numeric_limits<double>::infinity();
  {
    std::ifstream in(path_, std::ios::binary);
    if (!in) refuse(std::filesystem::exists(path_) ? "it cannot be read" : "it is not there");
    std::string row;
    if (!read_row(in, row)) refuse("it was cut off within its header");
    if (std::string_view(row).substr(0, row.size() - 1) != header)
      refuse("its header is not that of this run");
    kept = row.size();
    while (read_row(in, row)) {
      const double next = number_of(std::string_view(row).substr(0, row.find(',')));
      if (!(next <= last)) break;
      if (first_row_.empty()) first_row_ = row;
      t = next;
      kept += row.size();
    }
  }
  if (t != last) refuse(fmt::format("it has no rows of t = {} s, the last before the checkpoint", last));
  std::error_code error;
  std::filesystem::resize_file(path_, kept, error);
  if (error) refuse(error.message());
  file_ = std::fopen(path_.c_str(), "ab");
  if (file_ == nullptr) fail("open");
  buffer_.reserve(buffer_size + buffer_size / 2);
}

double CsvTable::first_row_number(std::size_t column) const {
  std::string_view rest = first_row_;
  for (; column > 0 && !rest.empty(); --column) {
    const std::size_t comma = rest.find(',');
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
  return rest.empty() ? 0.0 : number_of(rest.substr(0, rest.find_first_of(",\n")));
}

CsvTable::~CsvTable() {
  if (file_ == nullptr) return;
  std::fwrite(buffer_.data(), 1, buffer_.size(), file_);
  std::fclose(file_);
}

void CsvTable::number(double value, Precision precision) {
  buffer_ += ',';
  append_number(buffer_, value, precision);
}

void CsvTable::end_row() {
  buffer_ += '\n';
  if (buffer_.size() >= buffer_size) show();
}

void CsvTable::show() {
  if (file_ == nullptr) return;
  const std::size_t written = std::fwrite(buffer_.data(), 1, buffer_.size(), file_);
  if (written != buffer_.size() || std::fflush(file_) != 0) fail("write");
  buffer_.clear();
}

void CsvTable::sync() {
  if (file_ == nullptr) return;
  show();
  if (fsync(fileno(file_)) != 0 && errno != EINVAL && errno != EROFS) fail("write");
}

void CsvTable::close() {
  if (file_ == nullptr) return;
  show();
  if (std::fclose(std::exchange(file_, nullptr)) != 0) fail("close");
}

void CsvTable::fail(const char* doing) {
  const int reason = errno;
  if (file_ != nullptr) std::fclose(std::exchange(file_, nullptr));
  throw SinkError(
      fmt::format("cannot {} {}: {}", doing, path_.string(), std::generic_category().message(reason)));
}

}  // namespace catena::detail
