#include <catena/experiment/detail/folder_for_a_while.hpp>
#include <catena/output/detail/other_program.hpp>
#include <catena/study/detail/rank_ensemble.hpp>

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>
#include <vector>

namespace catena::detail {
namespace {

// The launcher of the MPI that the program was built with, where it is still there: others start processes that do not know
// of each other.
std::string launcher() {
#ifdef CATENA_MPIEXEC
  if (std::error_code none; std::filesystem::exists(CATENA_MPIEXEC, none)) return CATENA_MPIEXEC;
#endif
  return "mpirun";
}

// What the program says, else the first sentence of mpirun between its lines of dashes.
std::string reason_in(const std::filesystem::path& words) {
  std::ifstream stream(words);
  std::string first;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("catena: ")) return line.substr(std::strlen("catena: "));
    if (first.empty() && !line.empty() && line.front() != '-') first = line;
  }
  return first;
}

std::vector<std::string> sweep_words(const Scenario& scenario, int scenarios) {
  std::vector<std::string> words{"sweep", scenario.problem};
  const auto add = [&](const char* option, const std::string& text) {
    words.emplace_back(option);
    words.push_back(text);
  };
  // Equal rows: problems without random numbers ignore the seed, and the others have as much to do with each.
  add("--vary", scenarios == 1 ? "seed=1" : fmt::format("seed=1..{}:{}", scenarios, scenarios));
  for (const auto& [key, value] : scenario.parameters) add("--set", key + "=" + value);
  for (const auto& [key, value] : scenario.options) add("--option", key + "=" + value);
  add("--stepper", scenario.stepper);
  add("--backend", scenario.backend);
  if (scenario.step) add("--step", fmt::format("{}", *scenario.step));
  if (scenario.end) add("--end", fmt::format("{}", *scenario.end));
  if (scenario.every) add("--every", fmt::format("{}", *scenario.every));
  return words;
}

}  // namespace

std::string run_over_ranks(const Scenario& scenario, int scenarios, int workers) {
  std::error_code error;
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return "this program does not find itself: " + error.message();
  std::vector<std::string> arguments{"-n", std::to_string(workers + 1), own.string()};
  for (std::string& word : sweep_words(scenario, scenarios)) arguments.push_back(std::move(word));
  ::setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 0);  // Open MPI counts the rank that deals as busy
  const FolderForAWhile folder;
  const std::filesystem::path words = folder / "words.txt";
  const std::string mpirun = launcher();
  const ProgramEnd end = run_program(mpirun, std::move(arguments), words);
  if (end.error != 0) return fmt::format("{} cannot be run: {}", mpirun, std::strerror(end.error));
  if (end.status == 0) return {};
  return fmt::format("{} ended with exit status {}: {}", mpirun, end.status, reason_in(words));
}

}  // namespace catena::detail
