// Time series as CSV files in a folder, with units in the headers. The columns are the quantities of the recording;
// each table holds those that have a value of the same items:
//
//   scalars.csv      of the whole system: one row an instant
//   points.csv       of observed points: one row a point and instant
//   bodies.csv       of moving bodies: one row a body and instant
//   multipliers.csv  of constraint rows: one row a constraint row and instant
//   reactions.csv    of joints: one row a body that a joint acts on and instant
//   joints.csv       angles and displacements of joints: one row a joint and instant
//   forces.csv       power and work of forces: one row a force and instant
//   coordinates.csv  numbers of the state: one row a number and instant
#pragma once
#include <catena/driver/sink.hpp>
#include <catena/output/detail/csv_table.hpp>
#include <catena/output/parts/recording.hpp>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace catena::detail {

enum class CsvTables { scalars, all };  // scalars: the first two, whose rows do not grow with the system

// Numbers of the state, which have a table of their own.
bool is_of_state(Items items);
// What of a selection goes into these tables. Of a model, the standard quantities that follow from bodies.csv and
// multipliers.csv are left out unless they are chosen by name: numbers of the state and reactions. Text costs more than the
// run otherwise.
Selection in_text(const Selection& selection, const System& system, CsvTables tables);

class CsvSink : public Sink {
 public:
  // interval: an instant is in the files so long after it on the wall's clock [s], at the next call of accept() or
  // show_if_due().
  explicit CsvSink(std::filesystem::path folder, Recording recording = {}, CsvTables tables = CsvTables::all,
                   double interval = 2.0);

  // Creates the folder and the files; throws SinkError, as do the others.
  void begin(const System& system) override;
  void accept(const State& state, const Outcome& outcome) override;
  // Appends to the files of an earlier run.
  void resume(const System& system, const State& state, double last) override;
  void flush() override;
  void end() override;
  // Between two instants: writes what the interval has passed for. An error is thrown by the next call of the others.
  void show_in_time();

  std::vector<std::filesystem::path> files() const;
  // All that it may write in the folder.
  static std::vector<std::string> names();

 private:
  // Quantities of one kind of items and the file that they are written to.
  struct Table {
    Items items;
    std::unique_ptr<CsvTable> file;
    std::vector<const MeasuredColumns*> columns;
    std::vector<std::string> keys;  // of every row: the cells that name its item
  };
  void open(const System& system, const double* last);
  void open_table(const char* name, Items items, const std::string& keys, const double* last);
  void open_coordinates(const double* last);
  std::string keys_of(Items items, const MeasuredColumns& columns, int k) const;
  void write(Table& table);
  void show();
  void show_if_due();
  void check() const;
  void write_coordinates(Table& table);

  std::filesystem::path folder_;
  Recording recording_;
  CsvTables which_;
  std::unique_ptr<Measurements> measurements_;
  std::vector<double> row_;
  std::string time_;  // of the present instant, as text
  std::vector<std::filesystem::path> files_;
  std::vector<Table> tables_;
  using Clock = std::chrono::steady_clock;
  Clock::duration interval_;
  Clock::time_point due_;  // when what was written since the last time is to be seen
  bool waiting_ = false;   // something is
  std::string failure_;    // of show_in_time()
};

}  // namespace catena::detail
