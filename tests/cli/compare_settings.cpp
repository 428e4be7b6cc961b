// catena compare: steps that are not those asked for, settings of several problems, and results of other codes that make no
// sense.
#include "support/ask.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace catena;
using catena_test::Answer;
using catena_test::TemporaryFolder;

namespace compare_settings_tests {

using Json = nlohmann::json;

// The pendulum near its place at t = 1 s.
Json other_results() {
  const Json body{{"position", {0.4931, -0.0825, 0}},
                  {"quaternion", {0.9965583, 0, 0, -0.0828954}},
                  {"velocity", {0.1485, 0.8873, 0}},
                  {"angular_velocity", {0, 0, 1.7993}}};
  const Json instant{{"time", 1.0}, {"bodies", Json::array({body})}};
  const Json run{{"setting", "h"}, {"steps", 1000}, {"instants", Json::array({instant})}};
  return {
      {"catena_results", 1}, {"code", "other"}, {"problem", "simple_pendulum"}, {"runs", Json::array({run})}};
}

TEST_CASE("a table has the step that was taken beside the one that was asked for, where they differ") {
  const Answer a = catena_test::ask({"compare", "simple_pendulum", "--end", "0.1", "--steppers",
                                     "generalized_alpha", "--steps", "0.03333,0.01", "--tables", "errors"});
  CHECK(a.code == exit_ok);
  CHECK(a.out.find("h = 0.03333 s (mean 0.025 s)  4 ") != std::string::npos);
  CHECK(a.out.find("h = 0.01 s  ") != std::string::npos);
}

TEST_CASE("a setting that a later problem does not have is refused before the first one runs") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  const Answer a = catena_test::ask({"compare", "heavy_top", "simple_pendulum", "--set", "spin=100", "--end",
                                     "0.1", "--steppers", "generalized_alpha", "--steps", "4e-3", "-o", out});
  CHECK(a.code == exit_bad_input);
  CHECK(a.out == "");
  CHECK(a.err == "catena: --set spin=100 (problem simple_pendulum): no option \"spin\"; there are gravity\n");
  CHECK_FALSE(std::filesystem::exists(out));
  // what is wrong for both is said once
  CHECK(catena_test::ask({"compare", "heavy_top", "simple_pendulum", "--steppers", "hht", "--steps", "1e-12",
                          "--end", "0.1"})
            .err ==
        "catena: --steps 1e-12: a run to 0.1 s has 1e+11 of these steps, a comparison takes 1e+09 at most\n");
}

TEST_CASE("results of another code that make no sense are refused with their run, instant and body") {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "other.json").string();
  const auto why = [&](const Json& results) {
    std::ofstream(file) << results.dump();
    const Answer a = catena_test::ask({"compare", "simple_pendulum", "--end", "1", "--steppers", "hht",
                                       "--steps", "0.1", "--tables", "errors", "--add", file});
    if (a.code == exit_ok) return std::string();
    CHECK(a.out == "");  // nothing was run
    const std::string before = "catena: --add " + file + ": ";
    CHECK(a.err.starts_with(before));
    const std::string text = a.err.substr(before.size(), a.err.size() - before.size() - 1);
    return text.substr(0, text.find("; docs/"));
  };
  const auto changed = [](const std::string& where, const Json& value) {
    Json results = other_results();
    results[Json::json_pointer("/runs/0" + where)] = value;
    return results;
  };
  const std::string quaternion = "/instants/0/bodies/0/quaternion",
                    at_body = "run 1: instant 1: t = 1 s: body 1: \"quaternion\": its length is ";
  CHECK(why(other_results()) == "");
  CHECK(why(changed(quaternion, {0, 0, 0, 0})) == at_body + "0, where 1 is wanted, to within 1e-06");
  CHECK(why(changed(quaternion, {1, 0, 0, 0.002})) ==
        at_body + "1.000002, where 1 is wanted, to within 1e-06");
  CHECK(why(changed(quaternion, {-1, 0, 0, 1e-4})) == "");
  CHECK(why(changed("/seconds", -1)) == "run 1: \"seconds\": -1, where a number from 0 is wanted");
  CHECK(why(changed("/steps", -3)) == "run 1: \"steps\": -3, where a whole number from 0 is wanted");
  CHECK(why(changed("/steps", 2.5)) == "run 1: \"steps\": 2.5, where a whole number from 0 is wanted");
  const std::string at_instant = "run 1: instant 1: t = 1 s: ";
  CHECK(why(changed("/instants/0/multipliers", {1.0, 2.0})) ==
        at_instant + "\"multipliers\": 2 of them, where the problem has 5");
  CHECK(why(changed("/instants/0/multipliers", {1.0, 2.0, 3.0, 4.0, 5.0})) == "");
  const Json body = other_results()["runs"][0]["instants"][0]["bodies"][0];
  CHECK(why(changed("/instants/0/bodies/1", body)) ==
        at_instant + "\"bodies\": 2 of them, where the problem has 1");
  const Json instant = other_results()["runs"][0]["instants"][0];
  CHECK(why(changed("/instants/1", instant)) ==
        "run 1: instant 2: \"time\": 1 s, where one behind that of the instant before is wanted, 1 s");
  Json no_runs = other_results();
  no_runs["runs"] = Json::array();
  CHECK(why(no_runs) == "\"runs\" is an empty list, where one run at least is wanted");
  CHECK(catena_test::ask({"compare", "simple_pendulum", "--end", "1", "--steppers", "hht", "--steps", "0.1",
                          "--add", folder.path().string()})
            .err ==
        "catena: --add " + folder.path().string() +
            ": it is a folder, where a file is wanted; docs/reference/compare.md says what such a file "
            "holds\n");
}

}  // namespace compare_settings_tests
