// catena scale: its table, files and mistakes.
#include "support/ask.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

using namespace catena;
using catena_test::Answer;
using catena_test::file_text;
using catena_test::TemporaryFolder;

namespace {

std::vector<std::string> words_in_line(const std::string& text, std::size_t number) {
  std::istringstream lines(text);
  std::string line;
  for (std::size_t k = 0; k <= number; ++k) std::getline(lines, line);
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string in_short(double value, const char* format) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

TEST_CASE("the table of catena scale has the numbers of scale.json in the units of its head") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  const Answer a = catena_test::ask({"scale", "helix_chain", "--bodies", "9,4,6", "--steps", "3", "--repeat",
                                     "1", "--threads", "1,2", "--output", out});
  CHECK(a.code == exit_ok);
  CHECK(a.out.starts_with(
      "helix_chain by n: 3 steps of 0.001 s, least time of 1 run; times a step and body\n"));
  CHECK(words_in_line(a.out, 2) == std::vector<std::string>{"generalized_alpha,", "ldl,", "1", "thread"});
  CHECK(words_in_line(a.out, 3) == std::vector<std::string>{"bodies", "rows", "evaluate", "factorise",
                                                            "solve", "rest", "step", "spread", "iterations",
                                                            "set-up", "memory"});
  CHECK(words_in_line(a.out, 4) == std::vector<std::string>{"[ns]", "[ns]", "[ns]", "[ns]", "[ns]", "a",
                                                            "step", "[us/body]", "[B/body]"});
  const nlohmann::json json = nlohmann::json::parse(file_text(std::filesystem::path(out) / "scale.json"));
  const nlohmann::json& run = json.at("series").at(0).at("runs").at(0);
  CHECK(run.at("bodies") == 4);  // smallest first
  const std::vector<std::string> row = words_in_line(a.out, 5);
  REQUIRE(row.size() == 12);  // "0 %" are two words
  CHECK(row[0] == "4");
  CHECK(row[1] == "12");
  CHECK(row[2] == in_short(run.at("seconds_evaluate_per_step").get<double>() / 4.0 * 1e9, "%.1f"));
  CHECK(row[6] == in_short(run.at("seconds_step_per_step").get<double>() / 4.0 * 1e9, "%.1f"));
  CHECK(row[9] == in_short(run.at("newton_iterations_per_step").get<double>(), "%.2f"));
  CHECK(row[10] == in_short(run.at("seconds_set_up").get<double>() / 4.0 * 1e6, "%.2f"));
  CHECK(row[11] == in_short(run.at("peak_bytes").get<double>() / 4.0, "%.0f"));
  CHECK(a.out.find("  Exponents of the number of bodies, of the 3 largest sizes: evaluate ") !=
        std::string::npos);
  CHECK(a.out.find("generalized_alpha, ldl, 2 threads\n") != std::string::npos);
  CHECK(a.out.find("  Predicted before the runs:\n") != std::string::npos);
  CHECK(a.out.find(in_short(run.at("predicted").at("seconds_step_per_step").get<double>() / 4.0 * 1e9,
                            "%.1f")) != std::string::npos);
  CHECK(a.out.find("  Predicted speed-up of a step (of the elimination):\n") != std::string::npos);
  const double ratio = run.at("seconds_step_per_step").get<double>() /
                       json.at("series").at(1).at("runs").at(0).at("seconds_step_per_step").get<double>();
  CHECK(a.out.find("  Times as fast as with 1 thread: " + in_short(ratio, "%.2f") + " (4 bodies), ") !=
        std::string::npos);
  for (const char* name : {"scale.csv", "scale_time.csv", "scale_phases.csv", "scale_speed_up.csv"}) {
    CAPTURE(name);
    CHECK(std::filesystem::exists(std::filesystem::path(out) / name));
  }
}

TEST_CASE("catena scale measures ensembles, weak and strong, over threads and processes") {
  const Answer a = catena_test::ask({"scale", "helix_chain", "--bodies", "3", "--steps", "2", "--repeat", "1",
                                     "--threads", "1,2", "--scenarios", "2"});
  CHECK(a.code == exit_ok);
  const std::size_t at = a.out.find("Ensembles of 2 scenarios of 3 bodies: generalized_alpha, ldl\n");
  REQUIRE(at != std::string::npos);
  const std::string table = a.out.substr(at);
  CHECK(words_in_line(table, 1) == std::vector<std::string>{"over", "workers", "strong", "[s]", "efficiency",
                                                            "weak", "[s]", "efficiency"});
  for (const auto& [line, over, workers] :
       {std::tuple(2U, "threads", "1"), std::tuple(3U, "threads", "2"), std::tuple(4U, "processes", "1"),
        std::tuple(5U, "processes", "2")}) {
    const std::vector<std::string> words = words_in_line(table, line);
    REQUIRE(words.size() == 8);
    CHECK(words[0] == over);
    CHECK(words[1] == workers);
  }
}

TEST_CASE("catena scale sets another parameter by --by") {
  const Answer a = catena_test::ask(
      {"scale", "random_tree", "--by", "reach", "--bodies", "2,3", "--steps", "2", "--repeat", "1"});
  CAPTURE(a.err);
  CHECK(a.code == exit_ok);
  CHECK(a.out.starts_with("random_tree by reach: "));
  CHECK(a.out.find("  No exponents: three sizes that reach their end are needed.\n") != std::string::npos);
}

TEST_CASE("catena scale refuses what cannot be meant, all at once") {
  const Answer a = catena_test::ask({"scale", "helix_chain", "--bodies", "10,-3", "--steps", "none",
                                     "--threads", "1,1", "--repeat", "0", "--set", "n=4"});
  CHECK(a.code == exit_bad_input);
  CHECK(a.out == "");
  for (const char* part : {"--bodies -3: this is a whole number from 1",
                           "--steps none: this is a whole number from 1", "--threads: 1 is there twice",
                           "--repeat 0: this is a whole number from 1", "--set n: --bodies sets it"}) {
    CAPTURE(part);
    CHECK(a.err.find(part) != std::string::npos);
  }
  const Answer unknown = catena_test::ask({"scale", "heavy_top", "--bodies", "3"});
  CHECK(unknown.code == exit_bad_input);
  CHECK(unknown.err.find("has no parameter \"n\" for the number of bodies: name it by --by") !=
        std::string::npos);
  CHECK(catena_test::ask({"scale", "helix_chain"}).err.find("--bodies is required") != std::string::npos);
}

TEST_CASE("rows that an interrupted scaling study has not run are none of its results") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  const std::atomic<bool> stop{true};
  const Catalog catalog = builtin();
  const Answer a = catena_test::ask({"scale", "helix_chain", "--bodies", "4,9", "--steps", "3", "-o", out},
                                    catalog, &stop);
  CHECK(a.code == exit_interrupted);
  CHECK(a.out.find("not run: the study was interrupted before") != std::string::npos);
  CHECK(a.out.find("nan") == std::string::npos);
  const nlohmann::json json = nlohmann::json::parse(file_text(std::filesystem::path(out) / "scale.json"));
  for (const nlohmann::json& run : json.at("series").at(0).at("runs"))
    CHECK(run.at("failure") == "not run: the study was interrupted before");
}

TEST_CASE("a folder with another scaling study is refused, and replaced where that is asked for") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  const auto scale = [&](const char* sizes, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"scale", "helix_chain", "--bodies", sizes, "--steps",
                                   "3",     "--repeat",    "1",        "-o",  out};
    words.insert(words.end(), more.begin(), more.end());
    return catena_test::ask(words);
  };
  REQUIRE(scale("4,6").code == exit_ok);
  CHECK(scale("4,6").code == exit_ok);
  const Answer other = scale("4,7");
  CHECK(other.code == exit_bad_input);
  CHECK(other.err.find("--output " + out +
                       ": the folder holds another scaling study, of helix_chain; name another folder, or "
                       "replace it with --overwrite") != std::string::npos);
  CHECK(scale("4,7", {"--overwrite"}).code == exit_ok);
}

TEST_CASE("without a folder for temporary files catena scale measures nothing, and says what names one") {
  const char* const before = std::getenv("TMPDIR");
  const std::string set = before == nullptr ? "" : before;
  ::setenv("TMPDIR", "/nowhere", 1);
  const Answer a = catena_test::ask({"scale", "helix_chain", "--bodies", "4", "--steps", "3", "--repeat", "1",
                                     "--ranks", "1", "--scenarios", "2"});
  before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", set.c_str(), 1);
  CHECK(a.code == exit_cannot_write);
  CHECK(a.out == "");
  CHECK(a.err ==
        "catena: there is no folder for temporary files, TMPDIR is /nowhere: No such file or directory; "
        "set TMPDIR to one that is there and can be written to\n");
}
