#include <catena/driver/checkpoint.hpp>
#include <catena/driver/sink.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/output/detail/csv_table.hpp>
#include <catena/output/detail/file_list.hpp>
#include <catena/study/detail/text_file.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <system_error>
#include <utility>

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

void refuse_foreign(const std::filesystem::path& folder, const std::vector<std::string>& names) {
  if (const std::vector<std::string> others = FileList(folder).foreign(names); !others.empty())
    throw UsageError(foreign_sentence(folder, others));
}

void remove_others(const std::filesystem::path& folder, const std::vector<std::string>& names,
                   const std::vector<std::string>& written) {
  std::error_code ignored;
  for (const std::string& name : FileList(folder).contents(names).listed)
    if (std::find(written.begin(), written.end(), name) == written.end())
      std::filesystem::remove(folder / name, ignored);
}

void claim_files(const std::filesystem::path& folder, const std::vector<std::string>& names) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw SinkError("cannot create the folder " + folder.string() + ": " + error.message());
  std::vector<std::string> all;
  for (const std::string& name : names)
    for (std::string& part : durable_names(name)) all.push_back(std::move(part));
  FileList(folder).claim(all);
}

void write_file(const std::filesystem::path& file, const std::string& text) {
  write_durably(file, text);  // whole or not at all: what was there stays where the disk is full
}

}  // namespace catena::detail
