// Every file of tests/io/broken beside the message that it must give.
#include <catena/cli/cli.hpp>

#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

using namespace catena;
using catena_test::file_text;
using catena_test::TemporaryFolder;

namespace {

const std::filesystem::path folder = std::filesystem::path(CATENA_SOURCE_FOLDER) / "tests/io/broken";

struct Answer {
  int code;
  std::string out, err;
};

Answer ask(const std::vector<std::string>& arguments) {
  static const Catalog catalog = builtin();
  std::ostringstream out, err;
  const int code = cli(arguments, catalog, Console{out, err});
  return {code, out.str(), err.str()};
}

// Without the folder, which differs from machine to machine.
std::string bare(std::string text) {
  const std::string prefix = folder.string() + "/";
  for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at))
    text.erase(at, prefix.size());
  return text;
}

std::vector<std::filesystem::path> broken_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".txt") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

TEST_CASE("every broken model file gives its message, exit code 2, and nothing else") {
  const std::vector<std::filesystem::path> files = broken_files();
  CHECK(files.size() >= 40);
  for (const std::filesystem::path& expected : files) {
    std::filesystem::path file = expected;
    file.replace_extension(".yaml");
    CAPTURE(file.filename().string());
    const Answer run = ask({"run", file.string(), "--end", "0"});
    CHECK(run.code == exit_bad_input);
    CHECK(run.out == "");
    CHECK(bare(run.err) == file_text(expected));
  }
}

TEST_CASE("check and write refuse a broken file with the same words as run") {
  for (const char* name : {"several.yaml", "not_yaml.yaml", "open_joint.yaml", "problem_parameter.yaml"}) {
    const std::string path = (folder / name).string();
    const std::string said = ask({"run", path}).err;
    for (const char* command : {"check", "write"}) {
      CAPTURE(command);
      const Answer a = ask({command, path});
      CHECK(a.code == exit_bad_input);
      CHECK(a.out == "");
      CHECK(a.err == said);
    }
  }
}

TEST_CASE("a file that is not there, a folder, and names without a file say what is wrong") {
  CHECK(ask({"run", "nowhere/chain.yaml"}).err == "nowhere/chain.yaml: there is no such file\n");
  const TemporaryFolder temporary;
  CHECK(ask({"run", temporary.path().string()}).err ==
        temporary.path().string() + ": this is a folder, not a file\n");
  CHECK(ask({"run", "chain.yml"}).err == "chain.yml: there is no such file\n");
  CHECK(ask({"run", "/"}).code == exit_bad_input);
  const Answer a = ask({"run", "chainyaml"});
  CHECK(a.code == exit_bad_input);
  CHECK(a.err.find("no problem \"chainyaml\"") != std::string::npos);
}

TEST_CASE("parameters on the command line of a plain model are refused") {
  const TemporaryFolder temporary;
  const std::string path = (temporary.path() / "one.yaml").string();
  std::ofstream(path) << "bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]\n";
  const Answer a = ask({"run", path, "--set", "n=3"});
  CHECK(a.code == exit_bad_input);
  CHECK(a.err.find("no option \"n\"") != std::string::npos);
}

TEST_CASE("many mistakes in a large file take no time and are counted") {
  const TemporaryFolder temporary;
  const std::string path = (temporary.path() / "large.yaml").string();
  {
    std::ofstream file(path);
    file << "bodies:\n  - {name: a, mass: 1, inertia: [1, 1, 1]}\njoints:\n";
    for (int k = 0; k < 20000; ++k) file << "  - {type: spherical, bodies: [a, b" << k << "]}\n";
  }
  const Answer a = ask({"run", path});
  CHECK(a.code == exit_bad_input);
  CHECK(std::count(a.err.begin(), a.err.end(), '\n') == 21);
  CHECK(a.err.ends_with("and 19980 more\n"));
}
