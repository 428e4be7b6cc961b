// The table of a sweep that a process fills.
#pragma once
#include <catena/study/detail/database.hpp>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace catena::detail {

// A column of a row's measurements: "time [s]" first, then those that were kept.
struct KeptSeries {
  std::string name;
  std::vector<double> numbers;
};

struct RowResult {
  std::size_t row = 0;
  std::string key = {};                  // of the scenario
  std::vector<std::string> values = {};  // of what varies
  std::string status = {}, error = {}, culprit = {}, verdict = {};
  double t = 0.0;  // [s] reached
  long steps = 0;
  std::vector<std::pair<std::string, double>> numbers = {};  // "max energy/kinetic [J]"
  double seconds = 0.0;
  std::vector<KeptSeries> series = {};  // as long as one another
  std::string machine = {};             // that it ran on; empty: this one
};

std::string name_of_machine();

// What must be the same for two processes to fill one table, or for two tables to be joined.
namespace identity_names {
inline constexpr const char *axis = "what varies", *rows = "the number of rows", *sampling = "the sampling",
                            *drawn = "the number of drawn variables";
// The path of a model file, which may differ: keys of rows know the text.
inline constexpr const char* place = "problem";
}  // namespace identity_names

struct SweepIdentity {
  std::vector<std::pair<std::string, std::string>> entries;  // "axes", "n=10,20"; in words for messages
  bool grows = false;  // more samples are more rows behind those that there are; no entry
};

// Of entries that are equal, but for the place, the same.
std::string to_digest(const SweepIdentity& identity);

class RowStore {
 public:
  // file: empty: a temporary one. Continues the table that is there, also one with fewer rows of a sweep that grows; a table
  // of another sweep is made anew where it has no row. Throws UsageError where it has rows of another sweep, SinkError.
  RowStore(const std::filesystem::path& file, const SweepIdentity& identity,
           const std::vector<std::string>& keys);

  void add(const RowResult& result);
  // Why the table cannot have the numbers of this row; empty: it can.
  std::string refuses(const RowResult& result) const;
  // Which rows of 0 ... count - 1 are there, and how many of them are ok.
  std::vector<bool> finished(std::size_t count);
  std::size_t count(const std::string& condition);
  // Rows with these statuses are removed; "failed": all but ok.
  void remove(const std::vector<std::string>& statuses);
  // Counts a kill; how often this row was running when its process was killed.
  int count_kill(std::size_t row);

  const std::shared_ptr<Database>& database() const { return database_; }
  bool is_new() const { return is_new_; }  // there was no table, or one of another sweep

 private:
  void compile(const RowResult& result);

  std::shared_ptr<Database> database_;
  std::vector<std::string> keys_;
  std::vector<std::string> numbers_;  // columns that the table has
  std::optional<Statement> insert_, insert_series_;
  std::string machine_;
  bool is_new_ = false;
  std::chrono::steady_clock::time_point on_disk_ = {};  // when the last row was certainly on disk
};

// Whether SQLite takes two names for one: it knows no case of ASCII letters.
bool one_name(const std::string& a, const std::string& b);

// The table as an empty one, in place of the one that is there: rows and identity.
void make_tables(Database& database, const SweepIdentity& identity, const std::vector<std::string>& keys);
// Throws UsageError where the number of rows is none, or a row is not one of these.
void refuse_damaged(Database& database, const SweepIdentity& identity);
// Of a table that is there; empty: there is none. Throws UsageError for another file of SQLite.
SweepIdentity read_identity(Database& database);
// A sentence on the first difference; empty: they are the same.
std::string difference(const SweepIdentity& there, const SweepIdentity& here);
// Columns of `rows` besides those that every sweep has: of what varies, "vary n", and of numbers, "max energy/kinetic [J]".
std::vector<std::string> column_names(Database& database);

// Every table has these, around the columns of what varies and the numbers.
inline constexpr const char* vary_prefix = "vary ";

}  // namespace catena::detail
