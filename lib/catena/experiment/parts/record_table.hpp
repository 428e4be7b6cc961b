// Tables of records: one row a run, in memory, and in a file that grows row by row.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <unordered_set>
#include <vector>

namespace catena {

struct Record;

// One row a record: key, the members of the scenario, status, error and culprit, time reached, the peaks, and the last
// values of what was measured. Tables of several processes are merged into one.
class RecordTable {
 public:
  struct Column {
    std::string name;  // "set n", "step", "peaks/energy_error", "bodies/position x of link 3"
    std::string unit;  // of the parameter, option or quantity; empty: the cells are words, or have none

    std::string title() const { return unit.empty() ? name : name + " [" + unit + "]"; }
    friend bool operator==(const Column&, const Column&) = default;
  };
  struct Row {
    std::string key;
    // As many as columns(); empty: this row has no such value. Numbers in the fewest digits that read back to the same bits.
    std::vector<std::string> cells;
  };

  // Nothing where a row has the key already.
  void add(const Record& record);
  // Takes the rows whose keys are not here, in time proportional to those of the other; columns are found by name and unit.
  void merge(const RecordTable& other);

  const std::vector<Column>& columns() const { return columns_; }
  const std::vector<Row>& rows() const { return rows_; }
  bool contains(const std::string& key) const { return keys_.count(key) > 0; }
  // The cell, empty where there is none.
  std::string cell(std::size_t row, const std::string& column) const;
  std::string to_csv() const;  // RFC 4180

 private:
  friend struct RecordLines;
  std::size_t column(const Column& wanted);

  std::vector<Column> columns_;
  std::vector<Row> rows_;
  std::unordered_set<std::string> keys_;  // of the rows
};

// A table of records in a file, for sweeps that may be killed: each row is on disk when add() returns. One process at a time
// writes to a file; a sweep of several processes has a file for each, and merges them.
//
//   RecordFile file("sweep.records");                  // rows of an earlier, killed sweep are in file.table()
//   for (const Scenario& scenario : scenarios) {
//     Experiment experiment(scenario, {}, catalog);
//     experiment.check();
//     if (file.table().contains(experiment.key())) continue;
//     experiment.run();
//     file.add(experiment.record());
//   }
class RecordFile {
 public:
  // Makes the file, or reads it. A last line that a killed process has not finished is removed. Throws SinkError where the
  // file cannot be opened or another process writes to it, UsageError for a file that is no table of records.
  explicit RecordFile(std::filesystem::path file);
  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;
  ~RecordFile();

  const RecordTable& table() const { return table_; }
  // A sentence on the last line that was removed; empty: the file was whole.
  const std::string& dropped() const { return dropped_; }
  // Appends the row and waits for the disk; nothing where the table has the key. Throws SinkError, and the file is then as
  // it was.
  void add(const Record& record);

 private:
  void append(const std::string& lines);

  std::filesystem::path path_;
  RecordTable table_;
  std::string dropped_;
  int file_ = -1;
  std::uint64_t size_ = 0;  // bytes of whole lines
};

struct ReadRecords {
  RecordTable table;
  std::string dropped =
      {};  // a sentence where the last line is not whole: its process was killed, or is writing it now
};
// Reads such a file and changes nothing. Throws UsageError.
ReadRecords read_records(const std::filesystem::path& file);

}  // namespace catena
