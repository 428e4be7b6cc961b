// What a run of a scenario gives.
#pragma once
#include <catena/experiment/parts/measured_table.hpp>
#include <catena/experiment/scenario.hpp>
#include <catena/output/parts/manifest.hpp>
#include <catena/output/parts/report.hpp>
#include <catena/system/parts/state.hpp>

#include <string>
#include <unordered_set>
#include <vector>

namespace catena {

struct Record {
  std::string key;    // content_key() of the scenario
  Scenario scenario;  // completed
  Report report;      // status, culprit, remarks, peaks, statistics, sizes
  Manifest manifest;  // what it was computed with
  State state;        // the last one accepted
  Table table;        // the quantities of Scenario::record at the output instants; empty where none are named

  bool ok() const { return report.error.empty() && report.run.status == Status::ok; }
};

// One row a record: key, status, time reached, the settings of the scenarios, the peaks, and the last values of what was
// measured. Tables of several processes are
// merged into one.
class RecordTable {
 public:
  struct Row {
    std::string key;
    std::vector<std::string> cells;  // as many as columns(); empty: this row has no such value
  };

  void add(const Record& record);
  // Takes the rows whose keys are not here, in time proportional to those of the other; columns are found by name.
  void merge(const RecordTable& other);

  const std::vector<std::string>& columns() const { return columns_; }
  const std::vector<Row>& rows() const { return rows_; }
  // The cell, empty where there is none.
  std::string cell(std::size_t row, const std::string& column) const;
  std::string to_csv() const;

 private:
  std::size_t column(const std::string& name);

  std::vector<std::string> columns_;
  std::vector<Row> rows_;
  std::unordered_set<std::string> keys_;  // of the rows
};

}  // namespace catena
