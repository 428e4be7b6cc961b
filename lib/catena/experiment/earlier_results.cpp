#include <catena/driver/sink.hpp>
#include <catena/experiment/detail/run_folder.hpp>
#include <catena/output/detail/file_list.hpp>
#include <catena/output/detail/result_set.hpp>
#include <catena/output/detail/vtk_sink.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace catena::detail {
namespace {

using Path = std::filesystem::path;

}  // namespace

bool is_checkpoint(const Path& file) {
  std::ifstream stream(file, std::ios::binary);
  char head[6] = {};
  stream.read(head, sizeof head);
  return stream && std::string_view(head, sizeof head) == "CATENA";
}

namespace {

// Names that the list of a folder holds by a star, and that its run, or the modes of its model, have not made.
std::vector<std::string> strangers(const Path& folder, const std::vector<std::string>& present) {
  std::vector<std::string> others;
  std::map<std::string, std::vector<std::string>> frames;  // of the folder of a motion.pvd: "" or "mode_1/"
  for (const std::string& name : present) {
    bool foreign = checkpoint_number(name).has_value() && !is_checkpoint(folder / name);
    const std::string motion = name.substr(0, name.starts_with("mode_") ? name.find('/') + 1 : 0);
    if (std::string_view(name).substr(motion.size()).starts_with("vtk/")) {
      const auto [of_motion, fresh] = frames.try_emplace(motion);
      if (fresh) of_motion->second = VtkSink::frames(folder / motion);
      const std::vector<std::string>& made = of_motion->second;
      foreign = foreign || std::find(made.begin(), made.end(), name.substr(motion.size())) == made.end();
    }
    if (foreign) others.push_back(name);
  }
  return others;
}

std::string described_by(const Path& request_file) {
  std::ifstream stream(request_file, std::ios::binary);
  const auto json = nlohmann::json::parse(stream, nullptr, false);
  if (!json.is_object() || !json.contains("scenario") || !json["scenario"].is_object()) return {};
  const auto& scenario = json["scenario"];
  if (!scenario.contains("problem") || !scenario["problem"].is_string()) return {};
  std::string text = "the results of a run of " + scenario["problem"].get<std::string>();
  const char* joint = " with ";
  if (scenario.contains("parameters") && scenario["parameters"].is_object())
    for (const auto& parameter : scenario["parameters"].items()) {
      if (!parameter.value().is_string()) continue;
      text += joint + parameter.key() + "=" + parameter.value().get<std::string>();
      joint = ", ";
    }
  return text;
}

}  // namespace

std::string earlier_results(const Path& folder) {
  std::error_code none;
  const Path request = folder / "run.json";
  if (std::filesystem::exists(request, none)) {
    const std::string described = described_by(request);
    return described.empty() ? "run.json, which does not describe its run" : described;
  }
  for (const std::string& name : names_of_results(""))
    if (std::filesystem::exists(folder / name, none)) return name;
  // Of a study, say.
  for (const std::string& name : FileList(folder).present())
    if (!name.ends_with(".part") && !name.starts_with("model/"))  // of a run that was killed before it began
      return name + ", which its files.json lists";
  return {};
}

std::vector<std::string> foreign_names(const Path& folder, const std::vector<std::string>& names) {
  const FileList list(folder);
  std::vector<std::string> all = list.names();  // of these, links
  for (const std::string& name : names)
    if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
  FileList::Contents contents = list.contents(all);
  std::vector<std::string> others = std::move(contents.foreign);
  for (std::string& name : strangers(folder, contents.listed)) others.push_back(std::move(name));
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  return others;
}

void remove_files(const Path& folder, std::vector<std::string> names) {
  std::error_code error;
  // The list of the frames last: it says whose they are.
  std::stable_partition(names.begin(), names.end(),
                        [](const std::string& name) { return Path(name).filename() != "motion.pvd"; });
  for (const std::string& name : names) {
    std::filesystem::remove(folder / name, error);
    if (error) throw SinkError("cannot remove " + (folder / name).string() + ": " + error.message());
    for (Path inside = Path(name).parent_path(); !inside.empty(); inside = inside.parent_path())
      std::filesystem::remove(folder / inside, error);  // where it is empty now
  }
}

}  // namespace catena::detail
