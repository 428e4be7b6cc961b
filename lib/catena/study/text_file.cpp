#include <catena/driver/sink.hpp>
#include <catena/output/detail/csv_table.hpp>
#include <catena/study/detail/text_file.hpp>

#include <cctype>
#include <cmath>
#include <fstream>
#include <system_error>

namespace catena::detail {

std::string number_cell(double value) {
  std::string text = ",";
  if (std::isfinite(value)) append_number(text, value, Precision::float64);
  return text;
}

std::string file_name(std::string text) {
  for (char& c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-') c = '_';
  return text;
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw SinkError("cannot create the folder " + folder.string() + ": " + error.message());
}

void write_file(const std::filesystem::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text << std::flush;
  if (!stream) throw SinkError("cannot write " + file.string());
}

}  // namespace catena::detail
