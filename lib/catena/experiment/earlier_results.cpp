#include <catena/driver/sink.hpp>
#include <catena/experiment/detail/run_folder.hpp>
#include <catena/output/detail/file_list.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <vector>

namespace catena::detail {
namespace {

using Path = std::filesystem::path;

const char* const result_files[] = {"results.h5",      "scalars.csv",   "bodies.csv", "points.csv",
                                    "multipliers.csv", "reactions.csv", "joints.csv", "forces.csv",
                                    "coordinates.csv", "motion.pvd"};

// The frames that motion.pvd lists, and those of the instant behind them, which a killed run may have begun.
std::vector<std::string> frames_of_list(const Path& folder) {
  std::vector<std::string> frames;
  long last = -1;
  std::ifstream stream(folder / "motion.pvd", std::ios::binary);
  const std::string key = "file=\"";
  for (std::string line; std::getline(stream, line);) {
    const std::size_t begin = line.find(key);
    if (begin == std::string::npos) continue;
    const std::size_t from = begin + key.size(), end = line.find('"', from);
    if (end == std::string::npos) continue;
    frames.push_back(line.substr(from, end - from));
    const std::size_t digits = frames.back().find_last_of('_');
    if (digits == std::string::npos) continue;
    last = std::max(last, std::strtol(frames.back().c_str() + digits + 1, nullptr, 10));
  }
  frames.push_back(fmt::format("vtk/bodies_{:06}.vtu", last + 1));
  frames.push_back(fmt::format("vtk/joints_{:06}.vtp", last + 1));
  return frames;
}

}  // namespace

bool is_checkpoint(const Path& file) {
  std::ifstream stream(file, std::ios::binary);
  char head[6] = {};
  stream.read(head, sizeof head);
  return stream && std::string_view(head, sizeof head) == "CATENA";
}

namespace {

// Names that the list of a folder holds by a star, and that its run has not made.
std::vector<std::string> strangers(const Path& folder, const std::vector<std::string>& present) {
  std::vector<std::string> others;
  const std::vector<std::string> frames = frames_of_list(folder);
  for (const std::string& name : present) {
    const bool frame = name.starts_with("vtk/"),
               checkpoint = name.starts_with("checkpoint-") && !name.ends_with(".part");
    if ((frame && std::find(frames.begin(), frames.end(), name) == frames.end()) ||
        (checkpoint && !is_checkpoint(folder / name)))
      others.push_back(name);
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
  for (const char* name : result_files)
    if (std::filesystem::exists(folder / name, none)) return name;
  // Of a study, say.
  for (const std::string& name : FileList(folder).present())
    if (!name.ends_with(".part") && !name.starts_with("model/"))  // of a run that was killed before it began
      return name + ", which its files.json lists";
  return {};
}

std::vector<std::string> names_of_results(const std::string& format) {
  std::vector<std::string> names(std::begin(result_files), std::end(result_files));
  names.insert(names.end(), {"results.h5.new", "results.h5.packed", "results.h5.growing", "motion.pvd.new"});
  if (format.find("vtk") != std::string::npos)
    names.insert(names.end(), {"vtk/bodies_*.vtu", "vtk/joints_*.vtp"});
  return names;
}

std::vector<std::string> foreign_names(const Path& folder, const std::vector<std::string>& names) {
  const FileList list(folder);
  std::vector<std::string> others = list.foreign(names);
  for (std::string& name : list.foreign(list.names())) others.push_back(std::move(name));  // links
  for (std::string& name : strangers(folder, list.present())) others.push_back(std::move(name));
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  return others;
}

void remove_earlier_run(const Path& folder) {
  const FileList list(folder);
  std::error_code error;
  std::vector<std::string> names = list.present();
  // The list of the frames last: it says whose they are.
  std::stable_partition(names.begin(), names.end(),
                        [](const std::string& name) { return name != "motion.pvd"; });
  for (const std::string& name : names) {
    std::filesystem::remove(folder / name, error);
    if (error) throw SinkError("cannot remove " + (folder / name).string() + ": " + error.message());
    for (Path inside = Path(name).parent_path(); !inside.empty(); inside = inside.parent_path())
      std::filesystem::remove(folder / inside, error);  // where it is empty now
  }
}

}  // namespace catena::detail
