#include <catena/experiment/parts/usage_error.hpp>
#include <catena/math/detail/sha256.hpp>
#include <catena/study/detail/row_store.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <system_error>

namespace catena::detail {
namespace {

constexpr std::int64_t application = 0x43617465;  // "Cate", in the header of the file
constexpr std::int64_t format = 2;                // 1: without series

// Columns of every table.
constexpr std::array<const char*, 10> fixed{"row",     "key",   "status", "error",   "culprit",
                                            "verdict", "t [s]", "steps",  "seconds", "machine"};

// All that the sweep has under this name: "what varies" is an entry for each axis.
std::vector<std::string> values_of(const SweepIdentity& sweep, const std::string& name) {
  std::vector<std::string> values;
  for (const auto& entry : sweep.entries)
    if (entry.first == name) values.push_back(entry.second);
  return values;
}

// Those of the one that the other has not, with semicolons between.
std::string joined_without(const std::vector<std::string>& one, const std::vector<std::string>& other) {
  std::string text;
  for (const std::string& value : one)
    if (std::find(other.begin(), other.end(), value) == other.end())
      text += (text.empty() ? "" : "; ") + value;
  return text;
}

// A damaged table may say anything.
std::optional<std::uint64_t> rows_of(const std::string& text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && read == end ? std::optional(number) : std::nullopt;
}

}  // namespace

std::string name_of_machine() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

bool one_name(const std::string& a, const std::string& b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

void make_tables(Database& database, const SweepIdentity& identity, const std::vector<std::string>& keys) {
  Transaction all(database);
  for (const char* const table : {"sweep", "kills", "series", "rows"})  // of another sweep
    database.run(fmt::format("DROP TABLE IF EXISTS {}", table));
  database.run(fmt::format("PRAGMA application_id = {}", application));
  database.run(fmt::format("PRAGMA user_version = {}", format));
  database.run("CREATE TABLE sweep (place INTEGER PRIMARY KEY, name TEXT, value TEXT)");
  database.run("CREATE TABLE kills (row INTEGER PRIMARY KEY, count INTEGER)");
  database.run("CREATE TABLE series (row INTEGER, name TEXT, numbers BLOB, PRIMARY KEY (row, name))");
  std::string columns =
      "row INTEGER PRIMARY KEY, key TEXT, status TEXT, error TEXT, culprit TEXT, verdict TEXT, \"t [s]\" "
      "REAL, "
      "steps INTEGER, seconds REAL, machine TEXT";
  for (const std::string& key : keys) columns += ", " + quoted(vary_prefix + key);
  database.run("CREATE TABLE rows (" + columns + ")");
  Statement entry(database, "INSERT INTO sweep (name, value) VALUES (?, ?)");
  for (const auto& [name, value] : identity.entries) entry.bind(0, name).bind(1, value).run();
  all.commit();
}

SweepIdentity read_identity(Database& database) {
  SweepIdentity identity;
  const std::int64_t owner = database.whole("PRAGMA application_id");
  if (owner == 0 && database.whole("SELECT count(*) FROM sqlite_master") == 0) return identity;
  if (owner != application) throw UsageError(database.name() + " is no table of a sweep");
  if (const std::int64_t version = database.whole("PRAGMA user_version"); version != format)
    throw UsageError(fmt::format("{} has format {} of tables; this program reads format {}", database.name(),
                                 version, format));
  Statement entries(database, "SELECT name, value FROM sweep ORDER BY place");
  while (entries.next()) identity.entries.emplace_back(entries.text(0), entries.text(1));
  return identity;
}

void refuse_damaged(Database& database, const SweepIdentity& identity) {
  for (const auto& [name, value] : identity.entries) {
    if (name != identity_names::rows) continue;
    const std::optional<std::uint64_t> rows = rows_of(value);
    if (!rows) throw UsageError(fmt::format("{} is damaged: {} is \"{}\"", database.name(), name, value));
    Statement beyond(database, "SELECT row FROM rows WHERE row < 0 OR row >= ?");
    beyond.bind(0, static_cast<std::int64_t>(*rows));
    if (beyond.next())
      throw UsageError(fmt::format("{} is damaged: it has row {}, and {} are planned, from row 0 on",
                                   database.name(), beyond.whole(0), *rows));
  }
}

std::string to_digest(const SweepIdentity& identity) {
  std::string digests;
  for (const auto& [name, value] : identity.entries)
    if (name != identity_names::place) digests += sha256(name) + sha256(value);
  return sha256(digests);
}

void set_rows(Database& database, const SweepIdentity& identity) {
  Statement entry(database, "UPDATE sweep SET value = ? WHERE name = ?");
  for (const auto& [name, value] : identity.entries)
    if (name == identity_names::rows) entry.bind(0, value).bind(1, name).run();
}

std::string difference(const SweepIdentity& there, const SweepIdentity& here) {
  for (const SweepIdentity* const one : {&there, &here})
    for (const auto& entry : one->entries) {
      const std::string& name = entry.first;
      if (name == identity_names::place) continue;
      const std::vector<std::string> before = values_of(there, name), now = values_of(here, name);
      if (before == now) continue;
      const std::string only_there = joined_without(before, now), only_here = joined_without(now, before);
      if (only_there.empty() && only_here.empty())  // one by one the same
        return fmt::format("{} is {} there and {} here, in another order", name, joined_without(before, {}),
                           joined_without(now, {}));
      if (only_here.empty()) return fmt::format("{}: only there {}", name, only_there);
      if (only_there.empty()) return fmt::format("{}: only here {}", name, only_here);
      return fmt::format("{} is {} there and {} here", name, only_there, only_here);
    }
  return {};
}

// Whether the rows there are the first ones of those here.
bool is_begun(const SweepIdentity& there, const SweepIdentity& here) {
  if (!here.grows || there.entries.size() != here.entries.size()) return false;
  bool fewer = false;
  for (std::size_t k = 0; k < here.entries.size(); ++k) {
    const auto &a = there.entries[k], &b = here.entries[k];
    if (a == b || (a.first == identity_names::place && b.first == a.first)) continue;
    if (a.first != identity_names::rows || b.first != identity_names::rows) return false;
    const std::optional<std::uint64_t> before = rows_of(a.second), now = rows_of(b.second);
    if (!before || !now) return false;
    fewer = *before < *now;
  }
  return fewer;
}

std::vector<std::string> column_names(Database& database) {
  std::vector<std::string> names;
  Statement columns(database, "SELECT name FROM pragma_table_info('rows')");
  while (columns.next())
    if (std::find(fixed.begin(), fixed.end(), columns.text(0)) == fixed.end())
      names.push_back(columns.text(0));
  return names;
}

RowStore::RowStore(const std::filesystem::path& file, const SweepIdentity& identity,
                   const std::vector<std::string>& keys)
    : database_(std::make_shared<Database>(file, Database::Mode::owned)),
      keys_(keys),
      machine_(name_of_machine()) {
  const SweepIdentity there = read_identity(*database_);
  refuse_damaged(*database_, there);
  is_new_ = there.entries.empty();
  if (is_new_)
    make_tables(*database_, identity, keys);
  else if (is_begun(there, identity))
    set_rows(*database_, identity);
  else if (const std::string other = difference(there, identity); !other.empty()) {
    if (count("1") > 0)
      throw UsageError(
          fmt::format("{} has the rows of another sweep: {}; name another folder", database_->name(), other));
    make_tables(*database_, identity, keys);
    is_new_ = true;
  }
  for (const std::string& column : column_names(*database_))
    if (!column.starts_with(vary_prefix)) numbers_.push_back(column);
}

// Numbers come in any order, and some rows have others: the statement lists those that the table has.
void RowStore::compile(const RowResult& result) {
  const std::size_t known = numbers_.size();
  for (const auto& [name, value] : result.numbers)
    if (std::find(numbers_.begin(), numbers_.end(), name) == numbers_.end()) {
      database_->run("ALTER TABLE rows ADD COLUMN " + quoted(name) + " REAL");
      numbers_.push_back(name);
    }
  if (insert_ && known == numbers_.size()) return;
  std::vector<std::string> columns(fixed.begin(), fixed.end());
  for (const std::string& key : keys_) columns.push_back(vary_prefix + key);
  columns.insert(columns.end(), numbers_.begin(), numbers_.end());
  std::string places = "?";
  for (std::size_t k = 1; k < columns.size(); ++k) places += ",?";
  insert_.emplace(*database_,
                  "INSERT OR REPLACE INTO rows (" + quoted_list(columns) + ") VALUES (" + places + ")");
}

std::string RowStore::refuses(const RowResult& result) const {
  std::vector<std::string> fresh;
  for (const auto& number : result.numbers)
    if (std::find(numbers_.begin(), numbers_.end(), number.first) == numbers_.end())
      fresh.push_back(number.first);
  if (fresh.empty()) return {};
  std::vector<std::string> names(fixed.begin(), fixed.end());
  for (const std::string& key : keys_) names.push_back(vary_prefix + key);
  names.insert(names.end(), numbers_.begin(), numbers_.end());
  const std::size_t most = database_->most_columns();
  if (names.size() + fresh.size() > most)
    return fmt::format(
        "{} numbers of a row are more than the {} columns of a table take: keep less of it, --keep series of "
        "bodies/position say, or record fewer columns",
        result.numbers.size(), most);
  for (const std::string& name : fresh) {
    const auto same =
        std::find_if(names.begin(), names.end(), [&](const std::string& one) { return one_name(one, name); });
    if (same != names.end())
      return fmt::format("a table cannot have {} beside {}: its columns know no upper case; rename one", name,
                         *same);
    names.push_back(name);
  }
  return {};
}

void RowStore::add(const RowResult& result) {
  // Waiting for the disk takes longer than a short row: a power cut may take the rows of the last second, a kill none.
  const auto now = std::chrono::steady_clock::now();
  const bool wait = now - on_disk_ >= std::chrono::seconds(1);
  const std::size_t known = numbers_.size();
  try {
    database_->refuse_moved();
    database_->wait_for_disk(wait);
    Transaction all(*database_);
    compile(result);
    Statement& s = *insert_;
    const auto cell = [&](int at, const std::string& text) {
      if (text.empty())
        s.bind_nothing(at);
      else
        s.bind(at, text);
    };
    s.bind(0, static_cast<std::int64_t>(result.row)).bind(1, result.key).bind(2, result.status);
    cell(3, result.error);
    cell(4, result.culprit);
    cell(5, result.verdict);
    s.bind(6, result.t).bind(7, std::int64_t{result.steps}).bind(8, result.seconds);
    s.bind(9, result.machine.empty() ? machine_ : result.machine);
    int at = 10;
    for (const std::string& value : result.values) s.bind_cell(at++, value);
    for (const std::string& name : numbers_) {
      const auto found = std::find_if(result.numbers.begin(), result.numbers.end(),
                                      [&](const auto& number) { return number.first == name; });
      if (found == result.numbers.end())
        s.bind_nothing(at++);
      else
        s.bind(at++, found->second);
    }
    s.run();
    for (const KeptSeries& series : result.series) {
      if (!insert_series_)
        insert_series_.emplace(*database_, "INSERT OR REPLACE INTO series VALUES (?, ?, ?)");
      insert_series_->bind(0, static_cast<std::int64_t>(result.row)).bind(1, series.name);
      insert_series_->bind(2, series.numbers).run();
    }
    all.commit();
    if (wait) on_disk_ = now;
  } catch (...) {
    numbers_.resize(known);
    insert_.reset();
    throw;
  }
}

std::vector<bool> RowStore::finished(std::size_t count) {
  std::vector<bool> done(count, false);
  Statement rows(*database_, "SELECT row FROM rows");
  while (rows.next())
    if (const auto row = static_cast<std::size_t>(rows.whole(0)); row < count) done[row] = true;
  return done;
}

std::size_t RowStore::count(const std::string& condition) {
  return static_cast<std::size_t>(database_->whole("SELECT count(*) FROM rows WHERE " + condition));
}

void RowStore::remove(const std::vector<std::string>& statuses) {
  for (const std::string& status : statuses) {
    const bool failed = status == "failed";
    Transaction all(*database_);
    const std::string which = failed ? "status <> 'ok'" : "status = ?";
    for (const char* const table :
         {"DELETE FROM kills WHERE row IN (SELECT row FROM rows WHERE ", "DELETE FROM rows WHERE ("}) {
      Statement removal(*database_, table + which + ")");
      if (!failed) removal.bind(0, status);
      removal.run();
    }
    all.commit();
  }
}

int RowStore::count_kill(std::size_t row) {
  const auto number = static_cast<std::int64_t>(row);
  Statement(*database_, "INSERT INTO kills VALUES (?, 1) ON CONFLICT (row) DO UPDATE SET count = count + 1")
      .bind(0, number)
      .run();
  Statement count(*database_, "SELECT count FROM kills WHERE row = ?");
  count.bind(0, number);
  return count.next() ? static_cast<int>(count.whole(0)) : 0;
}

}  // namespace catena::detail
