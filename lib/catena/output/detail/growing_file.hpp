// Appends rows and events to a results file, in an order of writes that leaves it whole at every moment.
#pragma once
#include <catena/output/detail/results_file.hpp>

#include <filesystem>
#include <string>

namespace catena::detail {

class GrowingFile {
 public:
  // Opens for writing. width: columns of a row. Throws SinkError.
  GrowingFile(std::filesystem::path path, const ResultsPlaces& places, int width);
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;
  ~GrowingFile();

  std::uint64_t rows() const { return places_.records.rows; }
  std::uint64_t events() const { return places_.event_times.rows; }
  // First column of a row: its time.
  double time(std::uint64_t row) const;

  void read_rows(std::uint64_t first, std::uint64_t count, double* rows) const;
  ResultsEvent event(std::uint64_t number) const;
  // Appends count rows; a reader sees them when it returns. Where the system refuses, the rows that were written stay,
  // and SinkError says why.
  void append(const double* rows, std::uint64_t count);
  // Where the space for events is full, they are only counted.
  void append_event(double t, const std::string& name, bool rising);
  std::uint64_t lost_events() const { return lost_events_; }
  void set_lost_events(std::uint64_t count);
  // Drops all rows from row `rows` on, and events after t; none is lost then.
  void cut_back(std::uint64_t rows, double t);
  // Empty: the run continues.
  void set_ended(const std::string& date);
  std::string ended() const;
  // Of the manifest, where the file has a place for it.
  void set_end(const std::string& text);
  // On disk when it returns.
  void sync();

 private:
  std::uint64_t row_bytes() const { return 8U * static_cast<std::uint64_t>(width_); }
  void write(const void* bytes, std::uint64_t size, std::uint64_t at);
  void write_word(std::uint64_t word, std::uint64_t at) { write(&word, sizeof word, at); }
  void read(void* bytes, std::uint64_t size, std::uint64_t at) const;
  void show(std::uint64_t rows);
  [[noreturn]] void fail(const char* doing, int reason) const;

  std::filesystem::path path_;
  ResultsPlaces places_;
  std::uint64_t lost_events_ = 0;
  std::uint64_t begun_ = 0;  // up to where in the file the disk was asked to begin
  int width_;
  int file_ = -1;
};

}  // namespace catena::detail
