#include <catena/driver/sink.hpp>
#include <catena/experiment/detail/number.hpp>
#include <catena/study/detail/database.hpp>

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>

namespace catena::detail {

std::string quoted(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + '"';
}

std::string quoted_list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + quoted(name);
  return text;
}

namespace {

const char* const without_log = "PRAGMA journal_mode = DELETE";

// A reader of a table with a log writes beside it, and so does one that looks for a log. Where it may not, a file without a log
// is read as it is; no process should be filling it meanwhile.
std::string uri_of(const std::filesystem::path& file) {
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(file).string())
    uri += c == '%' || c == '?' || c == '#' ? fmt::format("%{:02x}", static_cast<unsigned>(c))
                                            : std::string(1, c);
  const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
  std::filesystem::path log = file;
  log += "-wal";
  std::error_code none;
  const bool with_log = std::filesystem::exists(log, none) && std::filesystem::file_size(log, none) > 0;
  return access(folder.c_str(), W_OK) == 0 || with_log ? uri : uri + "?immutable=1";
}

}  // namespace

Database::Database(const std::filesystem::path& path, Mode mode)
    : name_(path.empty() ? "the temporary table" : path.string()) {
  const bool reads = mode == Mode::read_only;
  // Links of folders are followed here, and of a table that is read; SQLite follows none, so that no table is written through a
  // link to a file of others.
  std::error_code none;
  std::filesystem::path file = path;
  if (reads)
    file = std::filesystem::weakly_canonical(path, none);
  else if (!path.empty())
    file = std::filesystem::weakly_canonical(std::filesystem::absolute(path).parent_path(), none) /
           path.filename();
  const int flags =
      reads ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  const std::string name = reads ? uri_of(file) : file.string();
  const int code = sqlite3_open_v2(name.c_str(), &database_, flags | SQLITE_OPEN_NOFOLLOW, nullptr);
  try {
    if (code != SQLITE_OK) fail(code);
    sqlite3_extended_result_codes(database_, 1);
    if (reads) return;
    // Exclusive: a file has one process, and needs no memory shared with others, which file systems of clusters lack.
    run("PRAGMA locking_mode = EXCLUSIVE");
    run("PRAGMA journal_mode = WAL");
    wait_for_disk(true);
    owned_ = true;
  } catch (...) {
    sqlite3_close(database_);
    throw;
  }
}

Database::~Database() {
  begin_.reset();
  commit_.reset();
  // A file without a log beside it, which any reader takes, also where it may not write. What is in its way stays in the
  // log, from which the next process reads it.
  if (owned_) sqlite3_exec(database_, without_log, nullptr, nullptr, nullptr);
  sqlite3_close(database_);
}

void Database::finish() {
  begin_.reset();
  commit_.reset();
  run(without_log);
  owned_ = false;
}

void Database::begin() {
  if (!begin_) begin_.emplace(*this, "BEGIN IMMEDIATE");
  begin_->run();
}

void Database::commit() {
  if (!commit_) commit_.emplace(*this, "COMMIT");
  commit_->run();
}

void Database::fail(int code) const {
  const int kind = code & 0xff;
  if (kind == SQLITE_BUSY || kind == SQLITE_LOCKED) throw SinkError("another process is writing to " + name_);
  if (kind == SQLITE_NOTADB) throw SinkError(name_ + " is no table of a sweep");
  std::string why = database_ == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(database_);
  if (const int of_system = database_ == nullptr ? 0 : sqlite3_system_errno(database_);
      kind == SQLITE_CANTOPEN && of_system != 0)
    why += ": " + std::generic_category().message(of_system);
  std::error_code none;
  if (kind == SQLITE_CANTOPEN && std::filesystem::is_symlink(name_, none))
    why += ": it is a link, through which no table is written";
  throw SinkError(fmt::format("cannot use {}: {}", name_, why));
}

void Database::wait_for_disk(bool wait) {
  if (waits_ && *waits_ == wait) return;
  run(wait ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
  waits_ = wait;
}

void Database::run(const std::string& sql) {
  const int code = sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

std::int64_t Database::whole(const std::string& sql) {
  Statement statement(*this, sql);
  return statement.next() ? statement.whole(0) : 0;
}

void Database::refuse_moved() const {
  int moved = 0;  // stays where SQLite does not know, of a temporary table say
  sqlite3_file_control(database_, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  if (moved != 0)
    throw SinkError(name_ + " was removed or replaced while the sweep ran: start the sweep again");
}

std::size_t Database::most_columns() const {
  return static_cast<std::size_t>(sqlite3_limit(database_, SQLITE_LIMIT_COLUMN, -1));
}

Statement::Statement(Database& database, const std::string& sql) : database_(&database) {
  const int code = sqlite3_prepare_v3(database.database_, sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT,
                                      &statement_, nullptr);
  if (code != SQLITE_OK) database.fail(code);
}

Statement::~Statement() { sqlite3_finalize(statement_); }

Statement::Statement(Statement&& other) noexcept : database_(other.database_), statement_(other.statement_) {
  other.statement_ = nullptr;
}

void Statement::check(int code) const {
  if (code != SQLITE_OK) database_->fail(code);
}

Statement& Statement::bind(int at, std::int64_t value) {
  check(sqlite3_bind_int64(statement_, at + 1, value));
  return *this;
}

Statement& Statement::bind(int at, double value) {
  check(sqlite3_bind_double(statement_, at + 1, value));
  return *this;
}

Statement& Statement::bind(int at, const std::string& value) {
  check(sqlite3_bind_text64(statement_, at + 1, value.data(), value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind(int at, const std::vector<double>& numbers) {
  static_assert(std::endian::native == std::endian::little, "files have the lowest byte first");
  check(sqlite3_bind_blob64(statement_, at + 1, numbers.data(), numbers.size() * sizeof(double),
                            SQLITE_TRANSIENT));
  return *this;
}

std::vector<double> Statement::numbers(int column) const {
  const void* const bytes = sqlite3_column_blob(statement_, column);
  const auto count = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)) / sizeof(double);
  std::vector<double> numbers(count);
  if (count > 0) std::memcpy(numbers.data(), bytes, count * sizeof(double));
  return numbers;
}

bool Statement::same(int column, const Statement& other, int column_of_other) const {
  const auto bytes = [](const Statement& of, int at) {
    const auto* const begin = static_cast<const char*>(sqlite3_column_blob(of.statement_, at));
    return std::string_view(begin, static_cast<std::size_t>(sqlite3_column_bytes(of.statement_, at)));
  };
  return bytes(*this, column) == bytes(other, column_of_other);
}

Statement& Statement::bind_nothing(int at) {
  check(sqlite3_bind_null(statement_, at + 1));
  return *this;
}

Statement& Statement::bind_as(int at, const Statement& other, int column) {
  check(sqlite3_bind_value(statement_, at + 1, sqlite3_column_value(other.statement_, column)));
  return *this;
}

Statement& Statement::bind_cell(int at, const std::string& text) {
  if (text.empty()) return bind_nothing(at);
  std::int64_t whole = 0;
  const char* const end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data(), end, whole);
  if (read == end) return error == std::errc() ? bind(at, whole) : bind(at, text);
  if (const std::optional<double> real = parse_real(text)) return bind(at, *real);
  return bind(at, text);
}

bool Statement::next() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  sqlite3_reset(statement_);
  if (code != SQLITE_DONE) database_->fail(code);
  return false;
}

void Statement::run() {
  while (next()) {
  }
}

int Statement::columns() const { return sqlite3_column_count(statement_); }
std::int64_t Statement::whole(int column) const { return sqlite3_column_int64(statement_, column); }

double Statement::number(int column) const {
  return is_number(column) ? sqlite3_column_double(statement_, column)
                           : std::numeric_limits<double>::quiet_NaN();
}

bool Statement::is_number(int column) const {
  const int type = sqlite3_column_type(statement_, column);
  return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

std::string Statement::text(int column) const {
  const auto* begin = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  if (begin == nullptr) return {};
  return {begin, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

std::string Statement::cell(int column) const {
  if (sqlite3_column_type(statement_, column) == SQLITE_FLOAT) return fmt::format("{}", number(column));
  return text(column);
}

void Transaction::commit() {
  database_.commit();
  done_ = true;
}

Transaction::~Transaction() {
  if (done_) return;
  try {
    database_.run("ROLLBACK");
  } catch (const SinkError&) {  // SQLite has rolled back already where the disk is full
  }
}

}  // namespace catena::detail
