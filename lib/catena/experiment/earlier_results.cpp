#include <catena/driver/sink.hpp>
#include <catena/experiment/detail/run_folder.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <system_error>
#include <vector>

namespace catena::detail {
namespace {

using Path = std::filesystem::path;

const char* const result_files[] = {"results.h5",      "scalars.csv",   "bodies.csv", "points.csv",
                                    "multipliers.csv", "reactions.csv", "joints.csv", "forces.csv",
                                    "coordinates.csv", "motion.pvd"};

// bodies_000012.vtu, joints_000012.vtp
bool is_frame(const Path& file) {
  const std::string stem = file.stem().string(), kind = file.extension().string();
  return ((stem.starts_with("bodies_") && kind == ".vtu") ||
          (stem.starts_with("joints_") && kind == ".vtp")) &&
         stem.find_first_not_of("0123456789", 7) == std::string::npos;
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
  return {};
}

void remove_results(const Path& folder) {
  std::vector<Path> files{folder / "report.json"};
  for (const char* name : result_files) files.push_back(folder / name);
  std::error_code error;
  if (std::filesystem::is_directory(folder / "vtk", error))
    for (const auto& entry : std::filesystem::directory_iterator(folder / "vtk", error))
      if (is_frame(entry.path())) files.push_back(entry.path());
  for (const Path& file : files) {
    std::filesystem::remove(file, error);  // one that is not there is no error
    if (error) throw SinkError("cannot remove " + file.string() + ": " + error.message());
  }
  std::filesystem::remove(folder / "vtk", error);  // empty, that is
}

}  // namespace catena::detail
