// The section `run` of a model file: `catena check` and `catena run` find the same mistakes, all at once, in their
// places.
#include <catena/cli/builtin.hpp>
#include <catena/cli/cli.hpp>

#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

using namespace catena;

namespace {

struct Verdict {
  int code;
  std::string err;
};

Verdict judged(const std::vector<std::string>& arguments) {
  std::ostringstream out, err;
  const int code = cli(arguments, builtin(), Console{out, err});
  return {code, err.str()};
}

const char* const one_body = "bodies:\n  - {name: top, mass: 1 kg, inertia: [1, 1, 1]}\n";

}  // namespace

TEST_CASE("mistakes in the section run are told together, each in its place, by check as by run") {
  const catena_test::TemporaryFolder folder;
  const std::string file = (folder.path() / "wrong.yaml").string();
  std::ofstream(file)
      << one_body
      << "run:\n  stepper: nix\n  threads: -1\n  backend: foo\n  format: bar\n  checkpoint: soon\n";
  for (const char* verb : {"check", "run"}) {
    CAPTURE(verb);
    const Verdict a = judged({verb, file});
    CHECK(a.code == exit_bad_input);
    for (const char* place :
         {"wrong.yaml:4:", "wrong.yaml:5:", "wrong.yaml:6:", "wrong.yaml:7:", "wrong.yaml:8:"})
      CHECK(a.err.find(place) != std::string::npos);
  }
}

TEST_CASE("a checkpoint interval is written like every other quantity of the file") {
  const catena_test::TemporaryFolder folder;
  const std::string file = (folder.path() / "right.yaml").string();
  std::ofstream(file) << one_body << "run: {end: 2 ms, output: '" << (folder.path() / "out").string()
                      << "', checkpoint: 5 s}\n";
  CHECK(judged({"check", file}).code == exit_ok);
  CHECK(judged({"run", file}).code == exit_ok);
}
