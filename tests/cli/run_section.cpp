// The section `run` of a model file: `catena check` and `catena run` find the same mistakes, all at once, in their
// places.
#include <catena/builtin/builtin.hpp>
#include <catena/cli/cli.hpp>

#include "support/ask.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace catena;
using namespace catena::detail;

namespace {

nlohmann::json reported(const std::vector<std::string>& arguments) {
  const catena_test::Answer a = catena_test::ask(arguments);
  CAPTURE(a.err);
  CHECK(a.code == exit_ok);
  return nlohmann::json::parse(a.out);
}

const char* const one_body = "bodies:\n  - {name: top, mass: 1 kg, inertia: [1, 1, 1]}\n";

}  // namespace

TEST_CASE("mistakes in the section run are reported together, each in its place, by check as by run") {
  const catena_test::TemporaryFolder folder;
  const std::string file = (folder.path() / "wrong.yaml").string();
  std::ofstream(file)
      << one_body
      << "run:\n  stepper: nix\n  threads: -1\n  backend: foo\n  format: bar\n  checkpoint: soon\n";
  for (const char* verb : {"check", "run"}) {
    CAPTURE(verb);
    const catena_test::Answer a = catena_test::ask({verb, file});
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
  CHECK(catena_test::ask({"check", file}).code == exit_ok);
  CHECK(catena_test::ask({"run", file}).code == exit_ok);
}

TEST_CASE("the sections run of an included file and of the including one are one, key by key") {
  const catena_test::TemporaryFolder folder;
  const auto file = [&](const char* name, const std::string& text) {
    std::ofstream((folder.path() / name)) << text;
    return (folder.path() / name).string();
  };
  file("base.yaml",
       one_body + std::string("run: {stepper: lie_dae, step: 1 ms, end: 5 ms, options: {index: 2, "
                              "order: 2}}\n"));
  const std::string top = file("top.yaml", "include: base.yaml\nrun: {end: 3 ms, options: {order: 1}}\n");
  auto json = reported({"run", top, "--json", "-"});
  CHECK(json["stepper"] == "lie_dae");
  CHECK(json["step"] == 1e-3);
  CHECK(json["end"] == 3e-3);
  CHECK(json["options"]["index"] == "2");
  CHECK(json["options"]["order"] == 1);
  json = reported({"run", top, "--option", "index=3", "--end", "0.001", "--json", "-"});
  CHECK(json["end"] == 1e-3);
  CHECK(json["options"]["index"] == "3");
  CHECK(json["options"]["order"] == 1);

  // Options go with their stepper.
  const std::string other =
      file("other.yaml", "include: base.yaml\nrun: {stepper: generalized_alpha, options: {rho_inf: 0.5}}\n");
  json = reported({"run", other, "--json", "-"});
  CHECK(json["stepper"] == "generalized_alpha");
  CHECK(json["options"]["rho_inf"] == 0.5);
  CHECK(json["end"] == 5e-3);
}

TEST_CASE(
    "parameters of an included problem stay where the including file gives others; not of another one") {
  const catena_test::TemporaryFolder folder;
  const auto file = [&](const char* name, const std::string& text) {
    std::ofstream((folder.path() / name)) << text;
    return (folder.path() / name).string();
  };
  file("base.yaml", "problem: helix_chain\nset: {n: 4, joint: revolute}\n");
  auto json = reported({"run", file("a.yaml", "include: base.yaml\nset: {joint: spherical}\n"), "--end",
                        "0.001", "--json", "-"});
  CHECK(json["problem"] == (folder.path() / "a.yaml").string());
  CHECK(json["parameters"]["n"] == 4);
  CHECK(json["parameters"]["joint"] == "spherical");
  json = reported(
      {"run", file("b.yaml", "include: base.yaml\nproblem: heavy_top\n"), "--end", "0.001", "--json", "-"});
  CHECK(json["bodies"] == 1);
}

TEST_CASE("studies pass over what a file says of the results of a run") {
  const catena_test::TemporaryFolder folder;
  const std::string file = (folder.path() / "chain.yaml").string(), out = (folder.path() / "out").string();
  const std::vector<std::vector<std::string>> studies{
      {"sweep", file, "--vary", "n=2,3,4", "--threads", "2", "--keep", "max energy/kinetic"},
      {"compare", file, "--steppers", "generalized_alpha", "--steps", "1e-3,5e-4"},
      {"scale", file, "--bodies", "2,3", "--steps", "2", "--repeat", "1"}};
  for (const std::string& results : {"output: '" + out + "', format: csv, interval: 1 s, checkpoint: 1 s",
                                     std::string("checkpoint: 1 s")}) {
    std::ofstream(file) << "problem: helix_chain\nset: {n: 2}\nrun: {end: 10 ms, " << results << "}\n";
    for (const std::vector<std::string>& study : studies) {
      CAPTURE(study.front());
      const catena_test::Answer a = catena_test::ask(study);
      CHECK(a.code == exit_ok);
      CHECK(a.err == "");
      CHECK(a.out.find("refused") == std::string::npos);
      CHECK(a.out.find("--output") == std::string::npos);
      CHECK(a.out.find("--checkpoint") == std::string::npos);
      CHECK(!std::filesystem::exists(out));
    }
  }
}
