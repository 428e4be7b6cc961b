#include <catena/experiment/parts/usage_error.hpp>
#include <catena/study/detail/row_store.hpp>
#include <catena/study/sweep.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>

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

// Rows that the other has and this one lacks. Numbers are copied as they are.
void add_rows(Database& into, Database& from) {
  const std::vector<std::string> known = column_names(into);
  std::vector<std::string> columns = column_names(from);
  for (const std::string& column : columns)
    if (std::find(known.begin(), known.end(), column) == known.end())
      into.run("ALTER TABLE rows ADD COLUMN " + quoted(column) + " REAL");
  std::string list, places;
  for (const char* const name :
       {"row", "key", "status", "error", "culprit", "verdict", "t [s]", "steps", "seconds", "machine"})
    columns.emplace_back(name);
  for (const std::string& column : columns) {
    list += (list.empty() ? "" : ", ") + quoted(column);
    places += places.empty() ? "?" : ",?";
  }
  Statement rows(from, "SELECT " + list + " FROM rows");
  Statement insert(into, "INSERT OR IGNORE INTO rows (" + list + ") VALUES (" + places + ")");
  while (rows.next()) {
    for (int k = 0; k < rows.columns(); ++k) insert.bind_as(k, rows, k);
    insert.run();
  }
  Statement series(from, "SELECT row, name, numbers FROM series");
  Statement insert_series(into, "INSERT OR IGNORE INTO series VALUES (?, ?, ?)");
  while (series.next()) {
    for (int k = 0; k < series.columns(); ++k) insert_series.bind_as(k, series, k);
    insert_series.run();
  }
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
    if (const std::string other = difference(first, identity); !first.entries.empty() && !other.empty())
      throw UsageError(fmt::format("{} and {} have rows of different sweeps: {}", files.front().string(),
                                   file.string(), other));
    if (!first.entries.empty()) continue;
    first = identity;
    for (const std::string& column : column_names(table))
      if (column.starts_with(vary_prefix))
        keys.push_back(column.substr(std::string_view(vary_prefix).size()));
  }
  const auto made =
      std::make_shared<Database>(into, into.empty() ? Database::Mode::owned : Database::Mode::fresh);
  Database& all = *made;
  make_tables(all, first, keys);
  for (const fs::path& file : files) {
    Database table(file, Database::Mode::read_only);
    Transaction rows(all);
    add_rows(all, table);
    rows.commit();
  }
  return SweepTable(made);
}

}  // namespace catena
