// A table of records as lines of JSON: the head, then for each record its key and cells, before it the columns that no line
// before has named. A line that ends with a newline is whole.
#include <catena/driver/checkpoint.hpp>
#include <catena/driver/detail/write_fully.hpp>
#include <catena/driver/sink.hpp>
#include <catena/experiment/parts/record_table.hpp>
#include <catena/experiment/parts/run_record.hpp>
#include <catena/experiment/parts/usage_error.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

namespace catena {

using Json = nlohmann::ordered_json;

struct RecordLines {
  static constexpr std::string_view head = "{\"catena_records\":1}\n";

  static std::string line(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
  }

  // The last row of the table; known: columns that the file has named.
  static std::string of_last_row(const RecordTable& table, std::size_t known) {
    std::string lines;
    if (known < table.columns_.size()) {
      Json columns = Json::array();
      for (std::size_t k = known; k < table.columns_.size(); ++k)
        columns.push_back({table.columns_[k].name, table.columns_[k].unit});
      lines += line({{"columns", std::move(columns)}});
    }
    const RecordTable::Row& row = table.rows_.back();
    return lines + line({{"key", row.key}, {"cells", row.cells}});
  }

  // Throws Json::exception for what is no such line.
  static void read(const Json& json, RecordTable& table) {
    if (json.contains("columns")) {
      for (const Json& column : json.at("columns"))
        table.column({column.at(0).get<std::string>(), column.at(1).get<std::string>()});
      return;
    }
    RecordTable::Row row{json.at("key").get<std::string>(), json.at("cells").get<std::vector<std::string>>()};
    if (row.cells.size() > table.columns_.size()) (void)json.at("more cells than columns");
    row.cells.resize(table.columns_.size());
    if (table.keys_.insert(row.key).second) table.rows_.push_back(std::move(row));
  }

  // Without the last row, whose line could not be written.
  static void forget_last_row(RecordTable& table, std::size_t columns) {
    table.keys_.erase(table.rows_.back().key);
    table.rows_.pop_back();
    table.columns_.resize(columns);
    for (RecordTable::Row& row : table.rows_) row.cells.resize(columns);
  }
};

namespace {

struct Parsed {
  ReadRecords read;
  std::uint64_t whole = 0;  // bytes of whole lines
};

Parsed parse(const std::string& text, const std::filesystem::path& file) {
  Parsed parsed;
  const std::string_view all = text, head = RecordLines::head;
  if (!all.starts_with(head)) {
    if (!head.starts_with(all)) throw UsageError(file.string() + " is no table of records");
    if (!all.empty()) parsed.read.dropped = file.string() + ": its first line was not whole and is left out";
    return parsed;
  }
  std::size_t begin = head.size();
  for (int number = 2; begin < all.size(); ++number) {
    const std::size_t end = all.find('\n', begin);
    const bool last = end == std::string_view::npos || end + 1 == all.size();
    try {
      if (end == std::string_view::npos) throw UsageError("");
      RecordLines::read(Json::parse(all.substr(begin, end - begin)), parsed.read.table);
    } catch (const std::exception&) {
      const std::string where = fmt::format("{}: line {}", file.string(), number);
      if (!last) throw UsageError(where + " was damaged: it is no row of a table of records");
      parsed.read.dropped = where + ", the last, is not whole and is left out";
      break;
    }
    begin = end + 1;
  }
  parsed.whole = begin;
  return parsed;
}

[[noreturn]] void fail(const char* doing, const std::filesystem::path& file, int reason) {
  throw SinkError(
      fmt::format("cannot {} {}: {}", doing, file.string(), std::generic_category().message(reason)));
}

}  // namespace

RecordFile::RecordFile(std::filesystem::path file) : path_(std::move(file)) {
  file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file_ < 0) fail("open", path_, errno);
  try {
    if (flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
      throw SinkError("another process is writing to " + path_.string());
    Parsed parsed = parse(read_whole(path_), path_);
    table_ = std::move(parsed.read.table);
    dropped_ = std::move(parsed.read.dropped);
    size_ = parsed.whole;
    if (ftruncate(file_, static_cast<off_t>(size_)) != 0) fail("shorten", path_, errno);
    if (size_ > 0) return;
    append(std::string(RecordLines::head));
    const std::filesystem::path folder = path_.has_parent_path() ? path_.parent_path() : ".";
    const int entry = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool synced = entry >= 0 && (fsync(entry) == 0 || errno == EINVAL);
    const int reason = errno;
    if (entry >= 0) close(entry);
    if (!synced) fail("write", path_, reason);
  } catch (...) {
    close(file_);
    throw;
  }
}

RecordFile::~RecordFile() { close(file_); }

void RecordFile::append(const std::string& lines) {
  if (detail::write_fully_at(file_, lines.data(), lines.size(), size_) < lines.size() || fsync(file_) != 0) {
    const int reason = errno;
    // Where this fails too, the next reader drops the line, which is not whole.
    if (ftruncate(file_, static_cast<off_t>(size_)) != 0) dropped_ = path_.string() + " ends within a line";
    fail("write", path_, reason);
  }
  size_ += lines.size();
}

void RecordFile::add(const Record& record) {
  const std::size_t known = table_.columns().size(), rows = table_.rows().size();
  table_.add(record);
  if (table_.rows().size() == rows) return;
  try {
    append(RecordLines::of_last_row(table_, known));
  } catch (...) {
    RecordLines::forget_last_row(table_, known);
    throw;
  }
}

ReadRecords read_records(const std::filesystem::path& file) {
  try {
    return parse(read_whole(file), file).read;
  } catch (const CheckpointError& error) {
    throw UsageError(file.string() + ": " + error.what());
  }
}

}  // namespace catena
