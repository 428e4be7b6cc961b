#include <catena/driver/sink.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/study/detail/peer.hpp>
#include <catena/study/detail/text_file.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
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

class OwnFolder {
 public:
  OwnFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "catena-peer-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw SinkError("cannot create a folder " + name + ": " + std::strerror(errno));
    path_ = name;
  }
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
  ~OwnFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path operator/(const char* file) const { return path_ / file; }

 private:
  std::filesystem::path path_;
};

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

std::string last_line(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string last;
  for (std::string line; std::getline(stream, line);)
    if (!line.empty()) last = line;
  return last;
}

// Its exit status; 128 and the signal that ended it.
int run(const std::string& name, const std::string& program, std::vector<std::string> arguments,
        const std::string& words) {
  arguments.insert(arguments.begin(), program);
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, words.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                   0600);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  pid_t child = 0;
  const int why = posix_spawnp(&child, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (why != 0)
    throw UsageError(fmt::format("--peers {}: {} cannot be run: {}", name, program, std::strerror(why)));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

ForeignCode ask_peer(const std::string& name, const PeerRequest& request) {
  const OwnFolder folder;
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
  if (const int status = run(name, program, {asked, results}, words); status != 0) {
    const std::string said = last_line(words);
    throw UsageError(fmt::format("--peers {}: {} does not run {}: {}", name, program, request.problem,
                                 said.empty() ? fmt::format("it ended with exit status {}", status) : said));
  }
  ForeignCode code = read_foreign_results(results, "--peers " + name + ':');
  if (code.problem != request.problem)
    throw UsageError(fmt::format("--peers {}: {} was asked for {} and gave results of {}", name, program,
                                 request.problem, code.problem));
  code.file = name;
  return code;
}

std::string not_the_same_motion(const std::vector<ForeignRun>& runs, const Errors& extent) {
  if (runs.empty()) return "it gave no runs";
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
