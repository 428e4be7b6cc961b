#include <catena/driver/sink.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/study/detail/row_store.hpp>
#include <catena/study/sweep.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string_view>
#include <system_error>

namespace catena {
using namespace detail;
namespace {

namespace fs = std::filesystem;

// The files of a folder in the order of their names; a file is itself.
std::vector<fs::path> tables_in(const fs::path& place) {
  std::error_code error;
  if (!fs::is_directory(place, error)) {
    if (!fs::exists(place, error)) throw UsageError("there is no " + place.string());
    return {place};
  }
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(place)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("rows-") && name.ends_with(".sqlite")) files.push_back(entry.path());
  }
  if (files.empty())
    throw UsageError("there is no table of a sweep in " + place.string() + ": they are called " +
                     sweep_file(1, 1) + " and so on");
  std::sort(files.begin(), files.end());
  return files;
}

// Of each row first what its result is, then what may differ between two runs of it.
constexpr std::array<const char*, 8> head{"row",     "key",     "status", "error",
                                          "culprit", "verdict", "t [s]",  "steps"};
constexpr std::array<const char*, 2> tail{"seconds", "machine"};

// Whether the row at hand is to be written: where `there` finds none of its number, or one that is not ok and this one is.
// Throws UsageError where both are ok and differ in the first `compared` columns.
bool is_wanted(Statement& there, const Statement& row, const std::vector<std::string>& columns,
               std::size_t compared, const fs::path& file) {
  constexpr int status = 2;
  there.bind(0, row.whole(0));
  if (!there.next()) return true;
  const bool was_ok = there.text(status) == "ok", is_ok = row.text(status) == "ok";
  std::string other;
  for (std::size_t k = 0; was_ok && is_ok && k < compared && other.empty(); ++k)
    if (const auto at = static_cast<int>(k); there.cell(at) != row.cell(at))
      other =
          fmt::format("{} is {} in the one and {} in the other", columns[k], there.cell(at), row.cell(at));
  there.next();  // to its end
  if (!other.empty())
    throw UsageError(fmt::format(
        "row {} of {} is ok in a table before it too, with another result: {}; collect one of the two",
        row.whole(0), file.string(), other));
  return !was_ok && is_ok;
}

// Rows that the other has and this one lacks, or has not as ok. Numbers are copied as they are.
void add_rows(Database& into, Database& from, const fs::path& file) {
  const std::vector<std::string> known = column_names(into);
  std::vector<std::string> columns(head.begin(), head.end());
  for (const std::string& column : column_names(from)) {
    if (std::find(known.begin(), known.end(), column) == known.end())
      into.run("ALTER TABLE rows ADD COLUMN " + quoted(column) + " REAL");
    columns.push_back(column);
  }
  const std::size_t compared = columns.size();
  columns.insert(columns.end(), tail.begin(), tail.end());
  std::string places;
  for (std::size_t k = 0; k < columns.size(); ++k) places += places.empty() ? "?" : ",?";
  const std::string list = quoted_list(columns);
  Statement rows(from, "SELECT " + list + " FROM rows");
  Statement there(into, "SELECT " + list + " FROM rows WHERE row = ?");
  Statement insert(into, "INSERT OR REPLACE INTO rows (" + list + ") VALUES (" + places + ")");
  while (rows.next()) {
    if (!is_wanted(there, rows, columns, compared, file)) continue;
    for (int k = 0; k < rows.columns(); ++k) insert.bind_as(k, rows, k);
    insert.run();
  }
  Statement series(from, "SELECT row, name, numbers FROM series");
  Statement series_there(into, "SELECT numbers FROM series WHERE row = ? AND name = ?");
  Statement insert_series(into, "INSERT INTO series VALUES (?, ?, ?)");
  while (series.next()) {
    series_there.bind_as(0, series, 0).bind_as(1, series, 1);
    if (series_there.next()) {
      const bool same = series_there.same(0, series, 2);
      series_there.next();  // to its end
      if (same) continue;
      throw UsageError(fmt::format(
          "row {} of {} is ok in a table before it too, with another result: the series {} differs; collect "
          "one of the two",
          series.whole(0), file.string(), series.text(1)));
    }
    for (int k = 0; k < series.columns(); ++k) insert_series.bind_as(k, series, k);
    insert_series.run();
  }
}

// Under a name of its own until it is whole: a disk that is full leaves nothing that is in the way of another try.
void write_whole(const fs::path& into, const std::function<void(Database&)>& fill) {
  if (fs::exists(into)) throw SinkError(into.string() + " is there already");
  fs::path part = into;
  part += ".part";
  std::error_code error;
  bool is_open = false;  // else the file may be that of another process
  try {
    Database all(part, Database::Mode::owned);
    is_open = true;
    fill(all);
    all.finish();
  } catch (...) {
    for (const char* const end : {"", "-wal", "-journal"})
      if (is_open) fs::remove(part.string() + end, error);
    throw;
  }
  fs::rename(part, into, error);
  if (error) throw SinkError("cannot create " + into.string() + ": " + error.message());
}

}  // namespace

SweepTable collect_sweep(const std::vector<fs::path>& tables, const fs::path& into) {
  std::vector<fs::path> files;
  for (const fs::path& place : tables)
    for (const fs::path& file : tables_in(place)) files.push_back(file);
  if (files.empty()) throw UsageError("there are no tables to collect");
  SweepIdentity first;
  std::vector<std::string> keys;
  for (const fs::path& file : files) {
    Database table(file, Database::Mode::read_only);
    const SweepIdentity identity = read_identity(table);
    if (identity.entries.empty()) throw UsageError(file.string() + " is no table of a sweep");
    refuse_damaged(table, identity);
    if (const std::string other = difference(first, identity); !first.entries.empty() && !other.empty())
      throw UsageError(fmt::format("{} and {} have rows of different sweeps: {}", files.front().string(),
                                   file.string(), other));
    if (!first.entries.empty()) continue;
    first = identity;
    for (const std::string& column : column_names(table))
      if (column.starts_with(vary_prefix))
        keys.push_back(column.substr(std::string_view(vary_prefix).size()));
  }
  const auto fill = [&](Database& all) {
    make_tables(all, first, keys);
    for (const fs::path& file : files) {
      Database table(file, Database::Mode::read_only);
      Transaction rows(all);
      add_rows(all, table, file);
      rows.commit();
    }
  };
  if (into.empty()) {
    const auto all = std::make_shared<Database>(into, Database::Mode::owned);
    fill(*all);
    return SweepTable(all);
  }
  write_whole(into, fill);
  return SweepTable(into);
}

}  // namespace catena
