// The places of the numbers that grow among the bytes of a results file: what create_results() overwrites and
// find_results() looks up again. Of the structure that the HDF5 library writes, in the version of the format that
// docs/decisions/011-results.md names.
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace catena::detail {

// Rows that /records is made for before it has any: 1e10, so that 1e8 columns of them are still counted in 64 bits.
inline constexpr std::uint64_t many_rows = 0x0000'0002'5ca7'e9a1;
// Of /events/time, name, rising. Different ones, so that each number of rows is found by what follows it.
inline constexpr std::array<std::uint64_t, 3> event_capacity = {4093, 4099, 4111};
inline constexpr std::uint64_t end_of_file_at = 40;  // in a superblock of version 0

// The first bytes of a results file. Shapes and data that are sought must be there once; none or several are another format
// than we know: SinkError.
class ResultsBytes {
 public:
  // doing: "create", for messages.
  ResultsBytes(std::filesystem::path path, std::string doing, std::uint64_t count);

  // Byte of the number of rows of a dataset: sizes, and then the largest sizes, of its shape.
  std::uint64_t place_of_shape(const std::vector<std::uint64_t>& sizes) const;
  // Byte of the address of a contiguous dataset; its size follows.
  std::uint64_t place_of_data(std::uint64_t address, std::uint64_t size) const;
  // Byte of the value of an attribute: a text in ASCII, filled up with zeros to that length. 0: there is none, or several.
  std::uint64_t place_of_text(const std::string& name, std::uint64_t length) const;
  // In the file, each word at its byte.
  void overwrite(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& words) const;

 private:
  // Byte of the only message of that type that begins with what is sought; 0: there is none, or several.
  std::uint64_t only_place(const std::string& sought, const std::string& message) const;
  std::uint64_t place_of(const std::string& sought, const std::string& message, const char* what) const;
  [[noreturn]] void fail(const std::string& why) const;

  std::filesystem::path path_;
  std::string doing_, bytes_;
};

}  // namespace catena::detail
