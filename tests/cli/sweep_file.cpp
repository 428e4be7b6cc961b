// Files of catena sweep: their keys, and what is typed beside them.
#include "support/ask.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace catena;
using catena_test::Answer;
using catena_test::ask;
using catena_test::TemporaryFolder;

namespace sweep_file_tests {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a file of a sweep says what the options say; what is typed counts more") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "sweep.yaml";
  std::ofstream(file) << "problem: helix_chain\n"
                         "vary:\n"
                         "  - n: [2, 3]\n"
                         "    step: [1e-3, 5e-4]\n"
                         "  - option.rho_inf=uniform:0.8:0.9\n"
                         "keep: [max energy/kinetic]\n"
                         "set: {gravity: 5}\n"
                         "option: {max_newton_iterations: 8}\n"
                         "end: 0.01\n"
                         "samples: 2\n"
                         "sampling: latin\n"
                         "sample_seed: 3\n"
                         "threads: 2\n";
  const Answer from_file = ask({"sweep", file.string()});
  CHECK(from_file.err == "");
  CHECK(from_file.code == exit_ok);
  const Words typed{"sweep",         "helix_chain",
                    "--end",         "0.01",
                    "--keep",        "max energy/kinetic",
                    "--vary",        "n=2,3 with step=1e-3,5e-4",
                    "--vary",        "option.rho_inf=uniform:0.8:0.9",
                    "--set",         "gravity=5",
                    "--option",      "max_newton_iterations=8",
                    "--samples",     "2",
                    "--sampling",    "latin",
                    "--sample-seed", "3"};
  CHECK(from_file.out == ask(typed).out);
  CHECK(ask({"sweep", file.string(), "--set", "gravity=6"}).out != from_file.out);

  std::ofstream(file) << "vary: {n: {a: 1}}\nkep: [max energy]\n";
  const Answer wrong = ask({"sweep", file.string()});
  CHECK(wrong.code == exit_bad_input);
  CHECK(has(wrong.err, file.string() + ":1:"));
  CHECK(has(wrong.err, "\"kep\" (did you mean \"keep\""));
  CHECK(has(wrong.err, "problem"));
}

TEST_CASE("an axis that is typed replaces that of its key in the file, and the others stay") {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "sweep.yaml").string();
  const auto write = [&](const std::string& axes, const std::string& more = "") {
    std::ofstream(file) << "problem: helix_chain\nvary:\n"
                        << axes << "end: 0.002\nkeep: max energy/kinetic\n"
                        << more;
  };
  write("  - n=2,3\n  - gravity=8,9\n");
  const auto typed = [&](const Words& more) {
    Words words{"sweep", file};
    words.insert(words.end(), more.begin(), more.end());
    return ask(words);
  };
  for (const char* n : {"n=4,5,6", "set.n=4,5,6"}) {
    const Answer replaced = typed({"--vary", n});
    CHECK(replaced.err == "");
    CHECK(has(replaced.out, "6 rows: 6 ok"));
    CHECK(has(replaced.out, "\n  gravity = 9 "));
    CHECK(has(replaced.out, "n = 6 "));
    CHECK(!has(replaced.out, "n = 2 "));
  }
  CHECK(has(typed({"--vary", "option.rho_inf=0.8,0.9"}).out, "8 rows: 8 ok"));

  write("  - {n: [2, 3], step: [1e-3, 5e-4]}\n  - gravity=8,9\n");
  CHECK(typed({"--vary", "n=4"}).err == "catena: the axis \"n=2,3 with step=1e-3,5e-4\" of " + file +
                                            " varies several keys together, and --vary replaces some of "
                                            "them: type all of them\n");
  CHECK(has(typed({"--vary", "n=2,3,4", "--vary", "step=1e-3"}).out, "6 rows: 6 ok"));

  write("  - n=2,3\n", "time_limit: 10s\nretry: failed\nshard: 1/2\n");
  const Answer once = typed({});
  CHECK(once.code == exit_bad_input);
  for (const char* why :
       {"time_limit: it is of one start of the program: type --time-limit TIME",
        "retry: it is of one start of the program, and the next one would run the same rows "
        "again: type --retry STATUS",
        "shard: each process has another one of the same file: type --shard I/N"})
    CHECK(has(once.err, why));

  write("  - n=2,3\n", "report: page.html\n");
  CHECK(has(typed({}).err, "--report page.html needs --output"));
}

}  // namespace sweep_file_tests
