// One CSV file (RFC 4180): a header line, then rows; numbers with as many digits, 17 at most, as reading the same
// doubles takes.
#pragma once
#include <catena/driver/sink.hpp>
#include <catena/output/parts/recording.hpp>

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace catena::detail {

// A cell with quotation marks where its text needs them.
std::string csv_cell(std::string_view text);
// Appends as few digits as reading the same number of that precision takes.
void append_number(std::string& text, double value, Precision precision);

class CsvTable {
 public:
  // Creates or replaces the file. Throws SinkError with the reason of the operating system.
  CsvTable(std::filesystem::path path, std::string_view header);
  // Appends to a file that an earlier run wrote: keeps its rows whose first cell, the time, is at most last, and
  // drops what follows. Throws SinkError also where the header is another one or there are no rows of last.
  CsvTable(std::filesystem::path path, std::string_view header, double last);
  CsvTable(const CsvTable&) = delete;
  CsvTable& operator=(const CsvTable&) = delete;
  ~CsvTable();

  // Cells of the present row as they are, with the commas between them and before them.
  void cells(std::string_view text) { buffer_ += text; }
  // A number behind other cells.
  void number(double value, Precision precision);
  // Ends the row. Throws SinkError when a buffer cannot be written.
  void end_row();
  // Brings what is buffered to the file, where other programs see it. Throws SinkError.
  void show();
  // Brings it to the disk. Throws SinkError.
  void sync();
  // Of the first row that was kept, from 0; 0 where there is none.
  double first_row_number(std::size_t column) const;
  // Writes what is buffered and closes. Throws SinkError.
  void close();

 private:
  [[noreturn]] void fail(const char* doing);

  std::filesystem::path path_;
  std::FILE* file_ = nullptr;
  std::string buffer_;
  std::string first_row_;  // of a file that is continued
};

}  // namespace catena::detail
