// Every file of tests/io/broken beside the message that it must give.
#include <catena/cli/cli.hpp>

#include "support/ask.hpp"
#include "support/source_folder.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

using namespace catena;
using namespace catena::detail;
using catena_test::Answer;
using catena_test::ask;
using catena_test::file_text;
using catena_test::TemporaryFolder;

namespace {

const std::filesystem::path folder = catena_test::source_folder() / "tests/io/broken";

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
      if (command == std::string("check") && name == std::string("open_joint.yaml")) continue;  // see below
      const Answer a = ask({command, path});
      CHECK(a.code == exit_bad_input);
      CHECK(a.out == "");
      CHECK(a.err == said);
    }
  }
}

TEST_CASE("check looks a file over whose joints are open: by how much each is, and where it is") {
  const std::string path = (folder / "open_joints.yaml").string();
  const Answer a = ask({"check", path});
  CAPTURE(a.out);
  CHECK(a.code == exit_run_ended_early);
  const std::string out = bare(a.out);
  // The rope is 3 m long, not 1 m; the points of the joints are 0.25 m apart.
  const char* worst =
      "error: the initial positions violate 4 constraints, joint \"rope\" (distance) by 2 m at worst: "
      "correct them, or write assemble: true\n";
  for (const char* line :
       {"2 m         joint \"rope\" (distance), open_joints.yaml:8:5\n",
        "0.25 m      joint \"joint 2\" (spherical), open_joints.yaml:5:10\n",
        "0.25 m      joint \"joint 4\" (spherical), open_joints.yaml:5:10\n", worst,
        "4 bodies                    on the ground by joints: link 1, link 2, link 3, link 4\n",
        "constraints                 5 with 13 position and 0 velocity rows\n", "\nScales\n",
        "not fit to run\n"}) {
    CAPTURE(line);
    CHECK(out.find(line) != std::string::npos);
  }
  const auto json = nlohmann::json::parse(ask({"check", path, "--json", "-"}).out);
  CHECK(json["initial_state"]["position_violations"].size() == 4);
  CHECK(json["initial_state"]["position_violations"][0]["place"] == path + ":8:5");
}

TEST_CASE("check looks a file over whose joints cannot be closed, with parts, scales and counts") {
  const TemporaryFolder temporary;
  const std::string path = (temporary.path() / "apart.yaml").string();
  std::ofstream(path)
      << "project: true\n"
         "bodies:\n"
         "  - {name: near, mass: 1, inertia: [1, 1, 1]}\n"
         "  - {name: post, fixed: true, position: [9, 0, 0]}\n"
         "  - {name: far, mass: 1e-7, inertia: [1, 1, 1], position: [0, 5, 0]}\n"
         "joints:\n"
         "  - {type: distance, name: short, bodies: [ground, near], point_b: [1, 0, 0], length: 1}\n"
         "  - {type: distance, name: long, bodies: [post, near], point_b: [1, 0, 0], length: 1}\n";
  CHECK(ask({"run", path}).code == exit_bad_input);
  const Answer a = ask({"check", path});
  CAPTURE(a.out);
  CHECK(a.code == exit_run_ended_early);
  for (const char* part :
       {"joint \"long\" (distance), ", "apart.yaml:8:5\n",
        "error: the initial positions violate 1 constraint",
        "apart.yaml:1:10: project: no positions were found that satisfy joint \"long\" (distance), ",
        "disagree                    3.5 m       joint \"long\" (distance), ",
        "the bodies form 2 separate parts", "one part is not tied to the ground by a joint",
        "remark: mass: 1e+07 between body \"far\"", "3, 1 of them fixed"}) {
    CAPTURE(part);
    CHECK(a.out.find(part) != std::string::npos);
  }
  CHECK(a.out.find("write assemble: true") == std::string::npos);  // it is written already
}

TEST_CASE("a file that is not there, a folder, and names without a file say what is wrong") {
  CHECK(ask({"run", "nowhere/chain.yaml"}).err == "nowhere/chain.yaml: there is no such file\n");
  const TemporaryFolder temporary;
  CHECK(ask({"run", temporary.path().string()}).err ==
        temporary.path().string() + ": this is a folder, not a file\n");
  CHECK(ask({"run", "chain.yml"}).err == "chain.yml: there is no such file\n");
  CHECK(ask({"run", "/"}).code == exit_bad_input);
  CHECK(ask({"run", "chain.ymal"}).err ==
        "catena: no problem \"chain.ymal\": the name of a model file ends with .yaml or .yml\n");
  const Answer a = ask({"run", "chainyaml"});
  CHECK(a.code == exit_bad_input);
  CHECK(a.err.find("no problem \"chainyaml\"") != std::string::npos);
}

TEST_CASE("a named pipe without a writer is refused; pipes that are written to are read to their end") {
  const TemporaryFolder temporary;
  const std::string named = (temporary.path() / "pipe.yaml").string();
  REQUIRE(mkfifo(named.c_str(), 0600) == 0);
  CHECK(ask({"check", named})
            .err.find(named + ": this is a named pipe that nothing was written to within 2 s") == 0);

  const std::string model = "bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]\n";
  const auto write_slowly = [&](int file) {
    for (const char c : model) {
      REQUIRE(write(file, &c, 1) == 1);
      if (c == '[') std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    close(file);
  };
  std::thread writer([&] { write_slowly(open(named.c_str(), O_WRONLY)); });
  CHECK(ask({"check", named}).code == exit_ok);
  writer.join();

  for (const bool keeps : {false, true}) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    writer = std::thread([&] { write_slowly(ends[1]); });
    const std::string unnamed = "/dev/fd/" + std::to_string(ends[0]);
    if (keeps) {  // a copy of the model, to resume from
      const std::string out = (temporary.path() / "out").string();
      CHECK(ask({"run", unnamed, "--output", out}).err.find(unnamed + " can be read only once") !=
            std::string::npos);
      CHECK(!std::filesystem::exists(out));
    } else {
      CHECK(ask({"check", unnamed}).code == exit_ok);
    }
    writer.join();
    close(ends[0]);
  }
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
