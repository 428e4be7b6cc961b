// Any bytes as a table of results that a run is resumed into, as a list of the places in a results file: rows that are
// there, or a refusal in words. .ci/nightly runs it.
#include <catena/output/detail/csv_table.hpp>
#include <catena/output/detail/results_bytes.hpp>

#include "broken.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>

using namespace catena;
using namespace catena::detail;

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

const std::string header = "time [s],energy [J]";

// One file for all inputs, in memory and without a name in any folder: what a system call costs is most of what an input
// costs.
int descriptor() {
  static const int of_file = memfd_create("results", 0);
  if (of_file < 0) broken("there is no file in memory");
  return of_file;
}

const std::filesystem::path& file() {
  static const std::filesystem::path path = "/proc/self/fd/" + std::to_string(descriptor());
  return path;
}

void put(const std::string& bytes) {
  if (ftruncate(descriptor(), 0) != 0 ||
      pwrite(descriptor(), bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    broken("the file in memory cannot be written");
}

std::string content() {
  std::string bytes(4096, '\0');  // more than the longest input and a row
  const ssize_t size = pread(descriptor(), bytes.data(), bytes.size(), 0);
  bytes.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
  return bytes;
}

// What is left of a table is its rows up to `last`, and one more can follow.
void continue_table(const std::string& bytes, double last) {
  put(bytes);
  try {
    {
      CsvTable table(file(), header, last);
      (void)table.first_row_number(1);
      (void)table.first_row_number(1000);
      table.cells("9");
      table.number(1.5, Precision::float64);
      table.end_row();
      table.close();
    }
    const std::string after = content();
    const std::string row = "9,1.5\n";
    if (!after.ends_with(row)) broken("a row that was written is not the last");
    const std::string kept = after.substr(0, after.size() - row.size());
    if (!bytes.starts_with(kept)) broken("rows have changed");
    if (!kept.starts_with(header + '\n')) broken("a table without its header");
    CsvTable again(file(), header, 9.0);  // what was written can be read
  } catch (const SinkError& error) {
    if (std::strlen(error.what()) == 0) broken("an error without a word");
  }
}

void find_places(const std::string& bytes) {
  put(bytes);
  try {
    const ResultsBytes places(file(), "continue", bytes.size());
    const std::uint64_t at = places.place_of_shape({3, 5, many_rows, 5});
    if (at + 32 > bytes.size()) broken("a place behind the end");
    if (places.place_of_data(1234, 120) + 16 > bytes.size()) broken("a place behind the end");
  } catch (const SinkError& error) {
    if (std::strlen(error.what()) == 0) broken("an error without a word");
  }
}

}  // namespace

// Whole tables are rare among random bytes: seeds are rows.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned int seed) {
  const std::string rows = "x" + header + "\n0,1.25\n0.5,\"1\n\"\n1,2\n1.5,nan\n";
  if ((size < 2 || seed % 1000 == 0) && rows.size() <= most) {
    std::memcpy(data, rows.data(), rows.size());
    return rows.size();
  }
  return LLVMFuzzerMutate(data, size, most);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 4 == 3)
    find_places(bytes);
  else
    continue_table(bytes, 0.5 * (data[0] % 4));
  return 0;
}
