// The verdict as the command line gives it: a word and remarks in JSON, an exit code where it is asked for.
#include "support/ask.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <fstream>

using catena_test::Answer;
using catena_test::ask;
using catena_test::TemporaryFolder;
using Json = nlohmann::json;

namespace {

// A mass on a stretched spring.
std::string stiff_model(const TemporaryFolder& folder, const std::string& stiffness = "1.2e4") {
  const std::string file = (folder.path() / "stiff.yaml").string();
  std::ofstream(file) << "bodies: [{name: mass, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}]\n"
                         "forces: [{type: spring_damper, bodies: [ground, mass], stiffness: " +
                             stiffness + ", rest_length: 0.9}]\n";
  return file;
}

}  // namespace

TEST_CASE("--strict has an exit code for remarks, and the report has them in any case") {
  const TemporaryFolder folder;
  const std::vector<std::string> stiff{
      "run", stiff_model(folder), "--stepper", "generalized_alpha", "--step", "0.01", "--end", "1", "--json",
      "-"};
  const Answer answer = ask(stiff);
  CHECK(answer.code == catena::exit_ok);
  CHECK(answer.err.find("catena: the balance of energy is off by") != std::string::npos);
  const Json report = Json::parse(answer.out);
  CHECK(report["status"] == "ok");
  CHECK(report["verdict"] == "remarks");
  CHECK(report["remarks"][0]["key"] == "energy");
  CHECK(report["remarks"][0]["name"] == "force \"spring_damper 0\" (spring_damper)");
  CHECK(report["remarks"][0]["value"].get<double>() > 6.0);  // J; the spring holds 60 J at first

  std::vector<std::string> strict = stiff;
  strict.emplace_back("--strict");
  CHECK(ask(strict).code == catena::exit_remarks);
  CHECK(Json::parse(ask(strict).out)["exit_status"] == 4);
  strict[5] = "5e-5";
  strict[7] = "0.01";
  const Answer good = ask(strict);
  CHECK(good.code == catena::exit_ok);
  CHECK(Json::parse(good.out)["verdict"] == "ok");
}

TEST_CASE("the verdict of a resumed run is that of the whole run") {
  const TemporaryFolder folder;
  const std::string model = stiff_model(folder), parts = (folder.path() / "parts").string(),
                    whole = (folder.path() / "whole").string();
  const auto begin = [&](const std::string& output, const char* end) {
    return ask({"run", model, "--stepper", "generalized_alpha", "--step", "0.01", "--end", end, "--output",
                output, "--json", "-"});
  };
  const Json at_once = Json::parse(begin(whole, "1").out);
  REQUIRE(begin(parts, "0.5").code == catena::exit_ok);
  const Json resumed = Json::parse(ask({"resume", parts, "--end", "1", "--json", "-"}).out);
  CHECK(resumed["remarks"] == at_once["remarks"]);
  CHECK(resumed["local_error"] == at_once["local_error"]);
  CHECK(resumed["verdict"] == "remarks");
}

// The balance breaks in the first steps, so that it never held: what was there to be exchanged is the energy at the start.
TEST_CASE("an energy that grows beyond ten times what there was ends the run, however early it does") {
  const TemporaryFolder folder;
  for (const char* stiffness : {"1.0e6", "1.0e9", "1.0e14"}) {
    const Answer answer = ask({"run", stiff_model(folder, stiffness), "--stepper", "generalized_alpha",
                               "--step", "0.01", "--end", "1", "--json", "-"});
    CHECK(answer.code == catena::exit_run_ended_early);
    const Json report = Json::parse(answer.out);
    CHECK(report["status"] == "unstable");
    CHECK(report["steps"].get<int>() < 100);
    CHECK(answer.err.find("h^2 k/m") != std::string::npos);
    CHECK(answer.err.find("force \"spring_damper 0\" (spring_damper)") != std::string::npos);
  }
}
