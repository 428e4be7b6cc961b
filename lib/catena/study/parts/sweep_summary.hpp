// Reads the table of a sweep, and makes summaries of it.
#pragma once
#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace catena {

namespace detail {
class Database;
}

// Of the numbers of some rows that are ok.
struct Spread {
  std::size_t count = 0;
  double mean = 0.0;
  double deviation =
      std::numeric_limits<double>::quiet_NaN();  // of a sample: by n - 1; nan of fewer than two
  double least = 0.0, largest = 0.0;

  void add(double number);
  void add(const Spread& others);  // as their numbers one by one, roundoff apart

 private:
  void spread();

  double squares_ = 0.0;  // of the distances from the mean
};

// The rows in which a list or range has one value, or all.
struct SummaryGroup {
  std::string name;  // "n = 10", "all rows"
  std::size_t rows = 0, failed = 0;
  // Of each quantity, over the rows that are ok and have a number of it: a crossing that is never reached is none.
  std::vector<Spread> spreads = {};

  std::size_t ok() const { return rows - failed; }
};

struct SweepSummary {
  std::vector<std::string> quantities;  // "max energy/kinetic [J]"
  std::vector<SummaryGroup> groups;     // all rows first, then value by value
};

// How much of the variance of a quantity comes from one drawn variable: alone (first) and with all others (total).
struct SobolIndex {
  std::string quantity, key;
  double first = 0.0, total = 0.0;
  // Half the width of an interval of 95 %; nan of fewer than three points.
  double first_uncertainty = 0.0, total_uncertainty = 0.0;
  std::size_t points = 0;  // of which it comes: those whose rows all have a number of the quantity
};

struct SobolIndices {
  std::vector<SobolIndex> indices = {};
  std::size_t points = 0;                  // whose rows are all ok
  std::size_t dropped = 0;                 // that miss a row
  std::vector<std::string> without = {};   // quantities of which no point has a number in all of its rows
  std::vector<std::string> constant = {};  // quantities that are the same number in all rows of the points
  std::string why_none = {};  // a sentence, where the points are Saltelli's and yet there are no indices
};

// The table of a sweep.
class SweepTable {
 public:
  // Reads it, and changes nothing. Throws SinkError, UsageError for what is no such table.
  explicit SweepTable(const std::filesystem::path& file);
  explicit SweepTable(std::shared_ptr<detail::Database> database);

  std::size_t rows() const;                         // that are there
  std::size_t planned() const { return planned_; }  // that the sweep has, those of other shards among them
  const std::vector<std::string>& keys() const { return keys_; }              // of what varies
  const std::vector<std::string>& quantities() const { return quantities_; }  // that were kept, with units
  // What was asked for, in words: ("the scenario", its JSON), ("what varies", "n=10,20"), ...
  const std::vector<std::pair<std::string, std::string>>& asked() const { return asked_; }

  // Columns that were kept over time, "time [s]" first; of a row, one of them: empty where the row is not ok.
  std::vector<std::string> series() const;
  std::vector<double> series(std::size_t row, const std::string& name) const;

  std::size_t failed() const;
  // "row 3 (n = 0): refused: ..." of the first of them.
  std::vector<std::string> failures(std::size_t most) const;
  SweepSummary summary() const;
  // By the estimators of Saltelli and others (2010) and of Jansen (1999); empty where the points are not Saltelli's, or lists
  // and ranges are combined with them.
  SobolIndices sobol_indices() const;
  // Draws each quantity over each key into the folder, with gnuplot: lines of the mean over a list or range, one for each
  // value of another one, and points over what is drawn. Returns a sentence where something was not drawn. Throws SinkError.
  std::string draw(const std::filesystem::path& folder) const;
  // RFC 4180, in the order of rows; numbers in the fewest digits that read back to the same bits. times: with the seconds and
  // the machine of each row, which differ from run to run.
  void write_csv(std::ostream& out, bool times = true) const;
  // The series, a line an instant: row, time, and what was kept.
  void write_series_csv(std::ostream& out) const;
  // All of it; docs/reference/sweep_tables.md has the layout. Throws SinkError, also where the library was built without HDF5.
  void write_hdf5(const std::filesystem::path& file) const;

 private:
  void read_head();
  bool times_rows() const;  // threads vary: the seconds of the rows are what the sweep is for

  std::shared_ptr<detail::Database> database_;
  std::vector<std::string> keys_, quantities_;
  std::vector<std::pair<std::string, std::string>> asked_;
  std::vector<bool> listed_;  // key by key: it has a list of values, and groups
  std::vector<int> axis_;     // key by key: the number of its axis; joined ones have one
  std::size_t planned_ = 0;
  std::size_t saltelli_ = 0;  // drawn variables; 0: none such, or not alone
  bool saltelli_not_alone_ = false;
};

}  // namespace catena
