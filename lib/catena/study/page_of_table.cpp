#include <catena/experiment/parts/usage_error.hpp>
#include <catena/study/detail/comparison_files.hpp>
#include <catena/study/detail/page_of_table.hpp>
#include <catena/study/parts/sweep_summary.hpp>
#include <catena/study/sweep.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
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

// What was asked for, entry by entry; the members of the scenario are entries of their own.
TableJson manifest_of(const SweepTable& table) {
  TableJson manifest = TableJson::object();
  for (const auto& [name, value] : table.asked()) {
    const TableJson members = TableJson::parse(value, nullptr, false);
    if (members.is_object())
      manifest.update(members);
    else if (manifest.contains(name))
      manifest[name] = manifest[name].get<std::string>() + "; " + value;
    else
      manifest[name] = value;
  }
  const std::vector<std::string>& keys = table.keys();
  if (!manifest.contains("stepper") && std::find(keys.begin(), keys.end(), "stepper") == keys.end())
    manifest["stepper"] = "that of the problem";
  return manifest;
}

// The table as CSV, which the page reads: numbers in it have all their digits.
std::string card_of_sweep(const std::filesystem::path& folder) {
  const SweepTable table = collect_sweep({folder}, {});
  std::ostringstream csv;
  table.write_csv(csv);
  TableJson json{{"kind", "sweep"},
                 {"folder", folder.filename().string()},
                 {"rows", table.rows()},
                 {"planned", table.planned()},
                 {"failed", table.failed()},
                 {"failures", table.failures(20)},
                 {"keys", table.keys()},
                 {"quantities", table.quantities()},
                 {"manifest", manifest_of(table)},
                 {"csv", csv.str()}};
  if (const SobolIndices found = table.sobol_indices(); !found.indices.empty()) {
    TableJson indices = TableJson::array();
    for (const SobolIndex& index : found.indices)
      indices.push_back({{"quantity", index.quantity},
                         {"key", index.key},
                         {"first", index.first},
                         {"first_uncertainty", index.first_uncertainty},
                         {"total", index.total},
                         {"total_uncertainty", index.total_uncertainty},
                         {"points", index.points}});
    json["sobol"] = {{"points", found.points}, {"dropped", found.dropped}, {"indices", std::move(indices)}};
  }
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
