// Parameters of a model file in every command, in the report, in the key and after a resume.
#include <catena/experiment/experiment.hpp>
#include <catena/io/parts/yaml_models.hpp>

#include "support/ask.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <fstream>

using namespace catena;
using namespace catena::detail;
using catena_test::TemporaryFolder;

namespace {

// A body on a spring of stiffness k, 0.1 m from its rest.
std::string sprung_file(const TemporaryFolder& folder, const std::string& stiffness = "30 kN/m") {
  const std::string path = (folder.path() / "sprung.yaml").string();
  std::ofstream(path)
      << "parameters: {k: " + stiffness +
             ", m: 2 kg}\n"
             "bodies: [{name: a, mass: $m, inertia: [1, 1, 1], position: [1.1, 0, 0]}]\n"
             "forces: [{type: spring_damper, bodies: [ground, a], stiffness: $k, rest_length: 1}]\n"
             "run: {step: 1e-4, end: 0.01}\n";
  return path;
}

nlohmann::json report_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--json", "-"});
  return nlohmann::json::parse(catena_test::ask(arguments).out);
}

std::string parameter_of(const nlohmann::json& report, const std::string& name) {
  return report["parameters"][name].dump();
}

}  // namespace

TEST_CASE("--set changes a parameter of a model file: the motion, the report and the key") {
  const TemporaryFolder folder;
  const std::string path = sprung_file(folder);
  const auto standard = report_of({"run", path}), same = report_of({"run", path, "--set", "k=30000"}),
             harder = report_of({"run", path, "--set", "k=40", "kN/m"});
  CHECK(standard["status"] == "ok");
  CHECK(standard["positions"] == same["positions"]);
  CHECK(standard["positions"] != harder["positions"]);
  CHECK(parameter_of(standard, "k") == parameter_of(same, "k"));
  CHECK(parameter_of(harder, "k").find("40000") != std::string::npos);
  CHECK(parameter_of(harder, "m").find('2') != std::string::npos);
}

TEST_CASE("check and write set parameters of a model file too") {
  const TemporaryFolder folder;
  const std::string path = sprung_file(folder);
  CHECK(catena_test::ask({"write", path, "--set", "k=40 kN/m"}).out.find("stiffness: 40000\n") !=
        std::string::npos);
  CHECK(catena_test::ask({"write", path}).out.find("stiffness: 30000\n") != std::string::npos);
  const catena_test::Answer checked = catena_test::ask({"check", path, "--set", "m=5"});
  CHECK(checked.code == exit_ok);
  CHECK(parameter_of(report_of({"check", path, "--set", "m=5"}), "m").find('5') != std::string::npos);
}

TEST_CASE("an unknown parameter gets the nearest, a wrong unit both places") {
  const TemporaryFolder folder;
  const std::string path = sprung_file(folder);
  for (const char* command : {"run", "check", "write"}) {
    CAPTURE(command);
    const catena_test::Answer unknown = catena_test::ask({command, path, "--set", "kk=3"}),
                              wrong = catena_test::ask({command, path, "--set", "k=3 kN"});
    CHECK(unknown.code == exit_bad_input);
    CHECK(unknown.err ==
          "catena: --set kk=3 (problem " + path + "): no option \"kk\": did you mean \"k\"?\n");
    CHECK(wrong.code == exit_bad_input);
    CHECK(wrong.err == path +
                           ":3:64: force (spring_damper): stiffness: needs the unit N/m, has \"kN\" (k is "
                           "3 kN by --set, in place of " +
                           path + ":1:17)\n");
  }
}

TEST_CASE("a unit behind an assignment is part of it; a file and other options are not") {
  const TemporaryFolder folder;
  const std::string path = sprung_file(folder);
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"run", "--set", "k=40", "kN/m", path, "--end", "0.001"},
                                             {"run", path, "--set", "k=40", "kN", "m^-1", "--end", "0.001"},
                                             {"run", path, "--set", "m=3", "--set", "k=40 kN/m"}}) {
    const catena_test::Answer a = catena_test::ask(arguments);
    CAPTURE(a.err);
    CHECK(a.code == exit_ok);
  }
  CHECK(catena_test::ask({"run", "--set", "k=40", "m", path}).err.find("needs the unit N/m, has \"m\"") !=
        std::string::npos);
}

TEST_CASE(
    "equal values of parameters have equal keys, others have others; a completed scenario repeats the run") {
  const TemporaryFolder folder;
  const std::string path = sprung_file(folder);
  const Catalog catalog = builtin().add(yaml_models());
  Scenario scenario{.problem = path};
  const std::string standard = content_key(scenario, catalog);
  CHECK(content_key(scenario.set("k", "30 kN/m"), catalog) == standard);
  CHECK(content_key(scenario.set("k", 30000), catalog) == standard);
  CHECK(content_key(scenario.set("k", 30001), catalog) != standard);
  const Scenario whole = completed(scenario, catalog);
  CHECK(whole.parameters == Settings{{"k", "30001"}, {"m", "2"}});
  CHECK(content_key(whole, catalog) == content_key(scenario, catalog));
  CHECK(scenario_from_json(to_json(whole)) == whole);
  const Record first = run(scenario, catalog), again = run(whole, catalog);
  CHECK(first.state.q == again.state.q);
  CHECK(first.key == again.key);
  CHECK(first.manifest.parameters == Manifest::Entries{{"k", "30001 N/m"}, {"m", "2 kg"}});
}

TEST_CASE("a resumed run has the parameters that it began with") {
  const TemporaryFolder folder;
  const std::string path = sprung_file(folder), out = (folder.path() / "out").string();
  REQUIRE(catena_test::ask(
              {"run", path, "--set", "k=40 kN/m", "--output", out, "--format", "csv", "--end", "0.005"})
              .code == exit_ok);
  sprung_file(folder, "1 N/m");  // the copy in the folder counts
  const auto resumed =
      nlohmann::json::parse(catena_test::ask({"resume", out, "--end", "0.01", "--json", "-"}).out);
  sprung_file(folder);
  const auto whole = report_of({"run", path, "--set", "k=40 kN/m"});
  CHECK(resumed["positions"] == whole["positions"]);
}
