// catena compare: its tables, files, mistakes, and results of other codes.
#include <catena/cli/detail/compare_text.hpp>

#include "support/ask.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace catena;
using catena_test::Answer;
using catena_test::file_text;
using catena_test::TemporaryFolder;

namespace {

nlohmann::json json_of_comparison(const std::filesystem::path& folder) {
  return nlohmann::json::parse(file_text(folder / "compare.json"));
}

// The first line that has all of these texts.
std::string line_with(const std::string& text, const std::vector<std::string>& parts) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    bool all = true;
    for (const std::string& part : parts) all = all && line.find(part) != std::string::npos;
    if (all) return line;
  }
  return {};
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// As the tables print it.
std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1e", value);
  return text;
}

}  // namespace

TEST_CASE("the tables have the names and units of their columns, and the numbers of compare.json") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  const Answer a = catena_test::ask({"compare", "knife_edge", "--end", "2", "--steppers",
                                     "hht,dormand_prince,runge_kutta_4", "--steps", "0.1,0.05,0.025",
                                     "--tolerances", "1e-4,1e-6", "--repeat", "2", "--output", out});
  CHECK(a.code == exit_ok);
  CHECK(a.out.find("knife_edge to t = 2 s, compared at 20 instants, incline 0.5, ") == 0);
  CHECK(a.out.find("\nreference: exact solution\n") != std::string::npos);
  CHECK(words_of(line_with(a.out, {"stepper", "time [ms]"})) ==
        words_of("stepper setting steps time [ms] spread [%] undisturbed [ms] position [m] rotation [rad] "
                 "velocity [m/s] "
                 "angular velocity "
                 "[rad/s] multipliers [N, N m]"));
  CHECK(
      words_of(line_with(a.out, {"stepper", "energy [J]"})) ==
      words_of(
          "stepper setting gap [m, rad] its rate [m/s, rad/s] its rate's rate [m/s^2, rad/s^2] energy [J]"));
  CHECK(words_of(line_with(a.out, {"stepper", "Newton"})) ==
        words_of("stepper setting steps repeated Newton a step factorisations unknowns memory [kB] remarks"));
  CHECK(words_of(line_with(a.out, {"stepper", "over"})) ==
        words_of("stepper over position rotation velocity angular velocity multipliers"));
  CHECK(line_with(a.out, {"runge_kutta_4"}).find("refused: runge_kutta_4 solves no constraints, ") !=
        std::string::npos);

  const nlohmann::json all = json_of_comparison(out), problem = all["problems"][0], row = problem["runs"][1];
  REQUIRE(row["stepper"] == "hht");
  CHECK(row["step"] == 0.05);
  CHECK(row["seconds"].size() == 2);
  const std::vector<std::string> errors = words_of(line_with(a.out, {"hht", "h = 0.05 s"}));
  REQUIRE(errors.size() == 14);
  CHECK(errors[5] == "40");
  CHECK(errors[9] == short_number(row["largest_error"]["position"]));
  CHECK(errors[11] == short_number(row["largest_error"]["velocity"]));
  CHECK(errors[13] == short_number(row["largest_error"]["multipliers"]));
  const std::string kept = a.out.substr(a.out.find("what is kept"));
  CHECK(words_of(line_with(kept, {"hht", "h = 0.05 s"})).back() == short_number(row["energy_error"]));
  const std::string asked = a.out.substr(a.out.find("the tolerance allows"));
  CHECK(words_of(line_with(asked, {"stepper", "1e-06"})) == words_of("stepper 0.0001 1e-06"));
  const std::vector<std::string> achieved = words_of(line_with(asked, {"dormand_prince"}));
  REQUIRE(achieved.size() == 3);
  for (const nlohmann::json& run : problem["runs"])
    if (run["stepper"] == "dormand_prince") {
      char over[32];
      std::snprintf(over, sizeof over, "%.2g", run["error_over_tolerance"].get<double>());
      CHECK(achieved[run["tolerance"] == 1e-4 ? 1 : 2] == over);
    }
  const nlohmann::json order = problem["orders"][0]["position"];
  char fitted[64];
  std::snprintf(fitted, sizeof fitted, "%.3f ± %.3f (2)", order["order"].get<double>(),
                order["uncertainty"].get<double>());
  CHECK(line_with(a.out, {"hht", "step", fitted}) != "");
  CHECK(std::abs(order["order"].get<double>() - 2.0) <= order["uncertainty"].get<double>());
  CHECK(problem["orders"][0]["position"]["promised"] == 2);
  CHECK(all["manifest"]["catena_version"].is_string());
  CHECK(all["manifest"]["processor"].is_string());
  CHECK(all["manifest"]["commit"].is_string());

  const std::string csv = file_text(folder.path() / "out/compare.csv");
  CHECK(csv.find("problem,stepper,options,guards,step [s],tolerance,status,position error largest [m],"
                 "coordinates error largest,rotation error largest [rad],") == 0);
  CHECK(csv.find(",error over tolerance,position residual [m or rad],") != std::string::npos);
  CHECK(csv.find("\nknife_edge,hht,,on,0.05,,ok,") != std::string::npos);
  CHECK(csv.find("\nknife_edge,dormand_prince,,on,,1e-04,ok,") != std::string::npos);
  for (const char* part : {"position", "velocity", "multipliers"})
    for (const char* over : {"step", "time"}) {
      const std::string name = std::string("1_knife_edge_") + part + "_over_" + over;
      CHECK(std::filesystem::exists(folder.path() / "out" / (name + ".gp")));
      CHECK(file_text(folder.path() / "out" / (name + ".csv")).find(" of hht") != std::string::npos);
    }
}

TEST_CASE("a comparison is repeated from its folder, to the same bits") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  REQUIRE(catena_test::ask({"compare", "heavy_top", "--set", "spin=50", "--end", "0.05", "--steppers",
                            "generalized_alpha:rho_inf=0.5", "--steps", "1e-3,5e-4", "--plain", "-o", out})
              .code == exit_ok);
  const Answer again = catena_test::ask({"compare", "--again", out, "--tables", "errors"});
  CHECK(again.code == exit_ok);
  CHECK(again.out.find("spin 50") != std::string::npos);
  CHECK(again.out.find("generalized_alpha guards=off rho_inf=0.5") != std::string::npos);
  CHECK(again.out.find("what is kept") == std::string::npos);
  CHECK(again.out.find("all 4 rows have the errors of " + out + ", bit for bit\n") != std::string::npos);

  nlohmann::json changed = json_of_comparison(out);
  changed["problems"][0]["runs"][2]["largest_error"]["position"] = 1.0;
  std::ofstream(folder.path() / "out/compare.json") << changed.dump();
  const Answer other = catena_test::ask({"compare", "--again", out, "--tables", "errors"});
  CAPTURE(other.out);
  CHECK(other.out.find("1 of 4 rows have other errors than in " + out) != std::string::npos);
}

TEST_CASE("results of another code are measured against the same reference") {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "other.json").string();
  // the pendulum at t = 1 s as published, a millimetre too far along x
  const auto write = [&](const std::string& problem, double t) {
    std::ofstream(file) << R"({"catena_results": 1, "code": "other 1.0", "problem": ")" << problem
                        << R"(", "runs": [
      {"setting": "h = 1 ms", "steps": 1000, "seconds": 0.5, "instants": [{"time": )"
                        << t << R"(, "bodies": [{"position": [0.494145875565937660, -0.08250542656277058, 0],
      "quaternion": [0.9965583, 0, 0, -0.0828954], "velocity": [0.14845275795815791, 0.88732182055631282, 0],
      "angular_velocity": [0, 0, 1.7993089]}]}]}]})";
  };
  write("simple_pendulum", 1.0);
  const std::vector<std::string> command{
      "compare", "simple_pendulum", "--end",  "1",     "--steppers", "hht", "--steps",
      "1e-2",    "--tables",        "errors", "--add", file};
  const Answer a = catena_test::ask(command);
  CHECK(a.code == exit_ok);
  const std::vector<std::string> row = words_of(line_with(a.out, {"other 1.0"}));
  REQUIRE(row.size() == 13);
  CHECK(row[6] == "1000");
  CHECK(row[7] == "500");      // ms
  CHECK(row[8] == "1.0e-03");  // m
  CHECK(row[12] == "-");       // it gives no multipliers
  write("heavy_top", 1.0);
  CHECK(catena_test::ask(command).err ==
        "catena: --add " + file + ": it is of problem heavy_top, which is not compared here\n");
  write("simple_pendulum", 0.123);
  CHECK(catena_test::ask(command).err.find("has none of the 100 instants that are compared, up to t = 1 s") !=
        std::string::npos);
  std::ofstream(file) << "{}";
  CHECK(catena_test::ask(command).err.find("docs/reference/compare.md says what such a file holds") !=
        std::string::npos);
  const auto why = [&](const std::string& text) {
    std::ofstream(file) << text;
    const std::string err = catena_test::ask(command).err, before = "catena: --add " + file + ": ";
    CHECK(err.starts_with(before));
    CHECK(err.find("json.exception") == std::string::npos);
    return err.substr(before.size(), err.find("; docs/") - before.size());
  };
  const std::string head = R"({"catena_results": 1, "code": "other", "problem": "simple_pendulum", "runs": )",
                    first = R"({"setting": "h", "instants": []})";
  CHECK(why(head + "[" + first + R"(, {"setting": "h/2", "instants": [{"time": 0.5, "bodies": [{"quaternion":
      [1, 0, 0, 0]}]}]}]})") == "run 2: instant 1: t = 0.5 s: body 1: \"position\" is missing");
  CHECK(why(head + R"([{"setting": "h", "instants": [{"time": 1, "q": [1], "v": "fast"}]}]})") ==
        "run 1: instant 1: t = 1 s: \"v\": type must be array, but is string");
  CHECK(why(head + R"([{"setting": "h", "instants": [{"time": 1, "bodies": [{"quaternion": [1, 0]}]}]}]})") ==
        "run 1: instant 1: t = 1 s: body 1: \"quaternion\": 2 numbers, where 4 are wanted");
  CHECK(why(head + "[1]}") == "run 1: an object with \"setting\" belongs here");
  CHECK(why("[").starts_with("parse error at line 1, column 2"));
  CHECK(why("{}") == "\"catena_results\" is missing");
  CHECK(catena_test::ask({"compare", "heavy_top", "--add", "nowhere.json"})
            .err.find("--add nowhere.json: it cannot be read") != std::string::npos);
}

TEST_CASE("mistakes are reported together, before anything is run") {
  const Answer a = catena_test::ask({"compare", "heavy_top", "--steppers", "hht,heun:a=1", "--steps",
                                     "1e-3,x", "--tolerances", "1e-3,-1", "--repeat", "0"});
  CHECK(a.code == exit_bad_input);
  CHECK(a.out == "");
  for (const char* part :
       {"--steps 1e-3,x: \"x\" is no positive number; give numbers with commas between: 4e-3,2e-3,1e-3\n",
        "--tolerances 1e-3,-1: \"-1\" is no positive number", "--repeat 0: this is a whole number from 1\n",
        "no stepper \"heun\""}) {
    CAPTURE(part);
    CHECK(a.err.find(part) != std::string::npos);
  }
  const auto error_of = [](const std::vector<std::string>& arguments) {
    const Answer answer = catena_test::ask(arguments);
    CHECK(answer.code == exit_bad_input);
    return answer.err;
  };
  CHECK(error_of({"compare"}) ==
        "catena: compare needs a problem or a model file, or --again DIR with an earlier comparison\n");
  CHECK(error_of({"compare", "heavy_top", "--steps", "1e-3,0.001"}) ==
        "catena: --steps 1e-3,0.001: 0.001 is there twice\n");
  CHECK(error_of({"compare", "heavy_top", "--steppers", "hht,newmark,hht"}) ==
        "catena: --steppers: hht is there twice\n");
  CHECK(error_of({"compare", "heavy_top", "--tables", "error"}) ==
        "catena: --tables error: no table \"error\": did you mean \"errors\"?\n");
  CHECK(error_of({"compare", "heavy_top", "--vary", "alpha"}).find("--vary") != std::string::npos);
  CHECK(error_of({"compare", "heavy_topp"}).find("did you mean \"heavy_top\"") != std::string::npos);
  CHECK(
      error_of({"compare", "heavy_top", "--again", "out"}) ==
      "catena: --again takes the problems and settings of the earlier comparison: give no problem with it\n");
  CHECK(error_of({"compare", "--again", "out", "--steppers", "ida", "--steps", "1e-3", "--end", "0.3",
                  "--repeat", "3"}) ==
        "catena: --again out repeats the earlier comparison with its own settings: leave --end, --steppers, "
        "--steps, --repeat out, or give the problem in place of --again\n");
  CHECK(error_of({"compare", "heavy_top", "--steppers", "dormand_prince", "--steps", "1e-3"}) ==
        "catena: --steps: no stepper here takes fixed steps (dormand_prince): give --tolerances, or another "
        "stepper\n");
  CHECK(error_of({"compare", "heavy_top", "--steppers", "rattle:order=4,discrete_action", "--tolerances",
                  "1e-3"}) ==
        "catena: --tolerances: no stepper here controls its error (rattle order=4, discrete_action): give "
        "--steps, or another stepper\n");
  CHECK(catena_test::ask({"compare", "simple_pendulum", "--end", "0.1", "--steppers",
                          "dormand_prince:control=fixed,generalized_alpha:tolerance=1", "--steps", "1e-2",
                          "--tolerances", "1e-3", "--tables", "errors"})
            .code == exit_ok);
  CHECK(error_of({"compare", "--again", "nowhere"}).find("nowhere/compare.json cannot be read") !=
        std::string::npos);
}

TEST_CASE("a folder that cannot be used is refused before anything is run") {
  const TemporaryFolder folder;
  const std::filesystem::path others = folder.path() / "others";
  std::filesystem::create_directories(others);
  std::ofstream(others / "compare.json") << "{}";
  const Answer foreign = catena_test::ask({"compare", "heavy_top", "--output", others.string()});
  CHECK(foreign.code == exit_bad_input);
  CHECK(foreign.err.find(
            "compare.json is no comparison of Catena's, and would be replaced: name another folder\n") !=
        std::string::npos);
  CHECK(file_text(others / "compare.json") == "{}");
  std::ofstream(folder.path() / "file") << "x";
  const Answer file =
      catena_test::ask({"compare", "heavy_top", "--output", (folder.path() / "file").string()});
  CHECK(file.code == exit_cannot_write);
  CHECK(file.out == "");
  CHECK(file.err.find("nothing was run") != std::string::npos);
}

TEST_CASE("a folder with another comparison is refused, and replaced whole where that is asked for") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  const auto compare = [&](const char* problem, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"compare", problem,   "--end", "0.02", "--steppers",
                                   "hht",     "--steps", "2e-3",  "-o",   out};
    words.insert(words.end(), more.begin(), more.end());
    return catena_test::ask(words);
  };
  REQUIRE(compare("simple_pendulum").code == exit_ok);
  const std::filesystem::path picture = folder.path() / "out/1_simple_pendulum_position_over_time.csv";
  REQUIRE(std::filesystem::exists(picture));
  CHECK(compare("simple_pendulum").code == exit_ok);
  const std::string before = file_text(folder.path() / "out/compare.json");
  const Answer other = compare("heavy_top");
  CHECK(other.code == exit_bad_input);
  CHECK(other.err.find("--output " + out +
                       ": the folder holds another comparison, of simple_pendulum; name another folder, "
                       "or replace it with --overwrite") != std::string::npos);
  CHECK(file_text(folder.path() / "out/compare.json") == before);
  CHECK(compare("heavy_top", {"--overwrite"}).code == exit_ok);
  CHECK(!std::filesystem::exists(picture));
  CHECK(json_of_comparison(out)["request"]["problems"][0] == "heavy_top");
}

TEST_CASE("a comparison that is interrupted prints what it has, and says so") {
  const std::atomic<bool> stop{true};
  const Catalog catalog = builtin();
  const Answer a =
      catena_test::ask({"compare", "heavy_top", "simple_pendulum", "--steppers", "hht"}, catalog, &stop);
  CHECK(a.code == exit_interrupted);
  CHECK(a.err == "catena: interrupted; the rows above are complete\n");
  CHECK(a.out.find("simple_pendulum") == std::string::npos);
}

TEST_CASE("tables as Markdown, of systems in their own coordinates too") {
  const Answer a =
      catena_test::ask({"compare", "rotary_pendulum", "--end", "0.4", "--steppers", "runge_kutta_4",
                        "--steps", "1e-2,5e-3,2.5e-3", "--tables", "errors,orders", "--markdown"});
  CHECK(a.code == exit_ok);
  CHECK(a.out.find(
            "| stepper | setting | steps | time [ms] | coordinates | rates | multipliers |\n|---|---|") !=
        std::string::npos);
  CHECK(a.out.find("| `runge_kutta_4` | h = 0.01 s | 40 |") != std::string::npos);
  CHECK(line_with(a.out, {"(4)"}).find("| `runge_kutta_4` | step | ") == 0);
}

TEST_CASE("a stepper whose errors show no order has its row with the reasons") {
  const auto ask = [](const char* form) {
    return catena_test::ask({"compare", "rotary_pendulum", "--end", "0.4", "--steppers", "runge_kutta_4",
                             "--steps", "1e-2,5e-3", "--tables", "orders", form});
  };
  const std::string why = "no order of coordinates, rates by ";
  const Answer a = ask("--markdown");
  CHECK(a.code == exit_ok);
  CHECK(a.out.find("| `runge_kutta_4` | step | - (4) | - (4) | - |") != std::string::npos);
  CHECK(a.out.find("\n* " + why + "`runge_kutta_4`: 2 of 2 errors are above the floor, 3 are needed\n") !=
        std::string::npos);
  const Answer plain =
      catena_test::ask({"compare", "knife_edge", "--end", "2", "--steppers", "dop853:control=fixed",
                        "--steps", "0.2,0.1,0.05,0.025", "--tables", "orders"});
  CHECK(plain.out.find("\n  no order of rotation, angular velocity by dop853 control=fixed: 0 of 4 errors "
                       "are above the floor, "
                       "3 are needed\n") != std::string::npos);
}

TEST_CASE("digits that no publication has are called known") {
  const Answer a = catena_test::ask(
      {"compare", "heavy_top", "--end", "0.1", "--steppers", "hht", "--steps", "1e-3", "--tables", "errors"});
  CHECK(a.out.find("\nknown digits (computed for Catena; problem: Bruels, Cardona, Arnold 2012): the "
                   "reference is within ") != std::string::npos);
  CHECK(a.out.find("published digits") == std::string::npos);
  detail::ProblemComparison of_book{.problem = "beam", .instants = {1.0}};
  of_book.reference.known = true;
  of_book.reference.published = 1e-9;
  of_book.reference.published_source = "Simeon 2013, table 2";
  CHECK(detail::to_text(of_book, {}).find("published digits (Simeon 2013, table 2)") != std::string::npos);
}
