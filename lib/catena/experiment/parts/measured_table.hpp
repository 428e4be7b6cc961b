// What was measured at the output instants of a run, as numbers in memory.
#pragma once
#include <catena/driver/sink.hpp>
#include <catena/measure/measurements.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace catena {

struct Table {
  std::vector<std::string> columns = {};  // "time", "energy/kinetic", "bodies/position x of link 3"
  std::vector<std::string> units = {};    // of the columns
  std::vector<double> values = {};        // row by row, one row an instant
  // Which columns each quantity has; empty in a table that no run has filled.
  std::vector<MeasuredColumns> quantities = {};

  std::size_t rows() const { return columns.empty() ? 0 : values.size() / columns.size(); }
  double at(std::size_t row, std::size_t column) const { return values[row * columns.size() + column]; }
  // The numbers of one column. Throws std::invalid_argument with the nearest names.
  std::vector<double> column(const std::string& name) const;
  const std::string& unit(const std::string& name) const;
  // Its number in the last row; nan where there is no row.
  double last(const std::string& name) const;

 private:
  std::size_t find(const std::string& name) const;
};

// Fills a table during a run. A resumed run fills it from where it is resumed.
class TableSink : public Sink {
 public:
  // The selection is one of the catalog, the table outlives the sink.
  TableSink(Selection selection, MeasureSources sources, Table& table);

  void begin(const System& system) override;
  void accept(const State& state, const Outcome& outcome) override;

 private:
  Selection selection_;
  MeasureSources sources_;
  std::vector<double> row_;
  Table& table_;
  std::unique_ptr<Measurements> measurements_;
};

}  // namespace catena
