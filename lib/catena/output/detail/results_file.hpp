// A results file that grows by rows and is a closed, valid HDF5 file at every moment (docs/decisions/011).
//
// The HDF5 library writes the structure once, before the first row: names, units, manifest, and /records, a
// contiguous dataset without rows whose data begin at the end of the file. From then on rows are appended to the file
// and three numbers of eight bytes are overwritten, in this order: the end of the file, the size of /records, its
// number of rows. Whatever happens between two of these writes, a reader finds the rows that were there before or
// all of them.
// The other growing datasets are virtual: windows into /records, which grow with it.
#pragma once
#include <catena/output/detail/result_fields.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace catena::detail {

// A quantity as a window into rows: count blocks of `block` numbers, the first at column `start`, each `stride` columns
// behind the one before.
struct RecordWindow {
  ResultField field;
  int start = 0, stride = 1, count = 1, block = 1;
  int axes = 0;            // of one instant: 0 a number, 1 count * block numbers, 2 count x block
  bool whole = false;      // whole numbers
  std::string items = {};  // names of the chosen items; empty: all of them
  int source = -1;         // number of the window whose columns these are; -1: they are its own

  int columns() const { return count * block; }
};

// What the structure holds.
struct ResultsContent {
  struct Numbers {
    std::string path;
    std::vector<std::uint64_t> shape;
    std::vector<double> values;
    bool whole = false;
  };
  struct Names {
    std::string path;
    std::vector<std::string> names;
  };
  using Attributes = std::vector<std::pair<std::string, std::string>>;

  int width = 0;  // columns of a row
  std::vector<RecordWindow> windows;
  void add_columns_of(const Measurements& measurements);
  // items: names of the chosen items, a line each; empty: all of them.
  void add_columns(const MeasuredColumns& columns, std::string items);
  std::vector<Numbers> numbers;
  std::vector<Names> names;
  std::vector<std::pair<std::string, Attributes>> groups;  // attributes of a group, which is made

  // Columns of every window as text: rows can be appended to a file of the same text.
  std::string columns() const;
};

// The place of a number of rows in the file. capacity: 0 where it may grow without end.
struct GrowingPlace {
  std::uint64_t rows_at = 0;  // byte of the number of rows
  std::uint64_t data_at = 0;  // first byte of the first row
  std::uint64_t capacity = 0;
  std::uint64_t rows = 0;  // when the file was looked at
};

struct ResultsPlaces {
  GrowingPlace records, event_times, event_names, event_rising;
  std::uint64_t size_at = 0;         // byte of the size of /records
  std::uint64_t lost_events_at = 0;  // byte of /events/lost
  std::uint64_t ended_at = 0;        // first byte of /ended
  std::uint64_t end_at = 0;  // first byte of the attribute `end` of /manifest; 0: none of manifest_end_length
};

struct ResultsEvent {
  double t = 0.0;  // [s]
  std::string name;
  bool rising = false;
};

inline constexpr int event_name_length = 64, ended_length = 32;
inline constexpr int manifest_end_length = 32;  // the longest number takes 24 letters, and its unit two

// Whether the library was built with HDF5. The two functions below throw SinkError where it was not.
bool has_hdf5();

// Writes the structure to `path`, replacing what is there, once it is complete. Throws SinkError.
ResultsPlaces create_results(const std::filesystem::path& path, const ResultsContent& content);
// Where to continue in a file that create_results() made. Throws SinkError where its columns are others than those
// of content, or where it is no such file.
ResultsPlaces find_results(const std::filesystem::path& path, const ResultsContent& content);

}  // namespace catena::detail
