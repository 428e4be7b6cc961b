#include <catena/experiment/parts/usage_error.hpp>
#include <catena/study/detail/comparison_files.hpp>
#include <catena/study/detail/page_of_table.hpp>
#include <catena/study/sweep.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

namespace catena::detail {
namespace {

using TableJson = nlohmann::ordered_json;

std::string text_of(const TableJson& json) {
  return json.dump(-1, ' ', false, TableJson::error_handler_t::replace);
}

std::string card_of_file(const char* kind, const char* key, const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const TableJson json = TableJson::parse(stream, nullptr, false);
  if (!json.is_object() || !json.contains(key))
    throw UsageError(file.string() + " was not written by catena " + kind);
  return fmt::format(R"({{"kind":"{}","folder":{},"data":{}}})", kind,
                     text_of(file.parent_path().filename().string()), text_of(json));
}

// The table as CSV, which the page reads: numbers in it have all their digits.
std::string card_of_sweep(const std::filesystem::path& folder) {
  const SweepTable table = collect_sweep({folder}, {});
  std::ostringstream csv;
  table.write_csv(csv);
  TableJson json{{"kind", "sweep"},          {"folder", folder.filename().string()},
                 {"rows", table.rows()},     {"planned", table.planned()},
                 {"failed", table.failed()}, {"failures", table.failures(20)},
                 {"keys", table.keys()},     {"quantities", table.quantities()},
                 {"csv", csv.str()}};
  return text_of(json);
}

}  // namespace

std::string page_of_table(const std::filesystem::path& folder) {
  if (std::filesystem::exists(folder / comparison_file))
    return card_of_file("compare", "catena_compare", folder / comparison_file);
  if (std::filesystem::exists(folder / "scale.json"))
    return card_of_file("scale", "catena_scale", folder / "scale.json");
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().filename().string().starts_with("rows-") && entry.path().extension() == ".sqlite")
      return card_of_sweep(folder);
  return {};
}

}  // namespace catena::detail
