#include <catena/experiment/detail/folder_for_a_while.hpp>
#include <catena/experiment/detail/split.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/output/detail/other_program.hpp>
#include <catena/study/detail/peer.hpp>
#include <catena/study/detail/text_file.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace catena::detail {
namespace {

constexpr int peer_request_version = 1;
// A part of the motion: a model that is read otherwise moves otherwise by far more, and every method that converges gets
// there with one of a few tolerances.
constexpr double same_motion = 1e-3;

std::string program_of(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const std::string file = "catena-peer-" + name;
  std::error_code error;
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  if (!error)
    for (const std::filesystem::path& at : {own / file, own / "../libexec/catena" / file})
      if (std::filesystem::exists(at, error)) return at.string();
  return file;
}

bool can_be_run(const std::string& program) {
  std::error_code error;
  return std::filesystem::is_regular_file(program, error) && ::access(program.c_str(), X_OK) == 0;
}

bool on_path(const std::string& program) {
  const char* const path = std::getenv("PATH");
  if (path == nullptr) return false;
  for (const std::string& folder : split(path, ':'))
    if (can_be_run((folder.empty() ? "." : folder) + "/" + program)) return true;
  return false;
}

std::string last_line(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string last;
  for (std::string line; std::getline(stream, line);)
    if (!line.empty()) last = line;
  return last;
}

}  // namespace

std::string missing_peer(const std::string& name) {
  const std::string program = program_of(name), flag = "--peers " + name + ": ";
  const bool file = program.find('/') != std::string::npos;
  if (file ? can_be_run(program) : on_path(program)) return {};
  if (file) return flag + "there is no program " + program + " that can be run";
  const std::string simbody = "simbody";
  const std::string sought = " beside this program, in ../libexec/catena or on the PATH";
  if (name == simbody)
    return flag + "there is no " + program + sought +
           "; it is built with the benchmarks where Simbody is installed";
  return flag + unknown_name("peer", name, {simbody}) + " There is no " + program + sought +
         ", and a file of your own is named with a slash: ./mine";
}

ForeignCode ask_peer(const std::string& name, const PeerRequest& request) {
  const FolderForAWhile folder;
  const std::string model = (folder / "model.yaml").string(), results = (folder / "results.json").string(),
                    words = (folder / "words.txt").string(), asked = (folder / "request.json").string();
  write_file(model, request.model);
  write_file(asked, nlohmann::json{{"catena_request", peer_request_version},
                                   {"problem", request.problem},
                                   {"model", model},
                                   {"begin", request.begin},
                                   {"end", request.end},
                                   {"instants", request.instants},
                                   {"tolerances", request.tolerances},
                                   {"repeat", request.repeat}}
                        .dump());
  const std::string program = program_of(name);
  const ProgramEnd end = run_program(program, {asked, results}, words);
  if (end.error != 0)
    throw UsageError(
        fmt::format("--peers {}: {} cannot be run: {}", name, program, std::strerror(end.error)));
  if (end.status != 0) {
    const std::string said = last_line(words);
    throw UsageError(
        fmt::format("--peers {}: {} does not run {}: {}", name, program, request.problem,
                    said.empty() ? fmt::format("it ended with exit status {}", end.status) : said));
  }
  ForeignCode code = read_foreign_results(results, "--peers " + name + ':');
  if (code.problem != request.problem)
    throw UsageError(fmt::format("--peers {}: {} was asked for {} and gave results of {}", name, program,
                                 request.problem, code.problem));
  code.file = name;
  return code;
}

std::string not_the_same_motion(const std::vector<ForeignRun>& runs, const Errors& extent) {
  double least = std::numeric_limits<double>::infinity();
  for (const ForeignRun& run : runs) least = std::min(least, run.largest[Part::position]);
  const double size = extent[Part::position];
  if (!std::isfinite(size) || least <= same_motion * size) return {};
  return fmt::format(
      "{} does not come closer to this motion than {:.1e} m with any tolerance, where the bodies move by "
      "{:.1e} m: it "
      "solves another problem",
      runs.front().code, least, size);
}

}  // namespace catena::detail
