// catena compare --peers: what another program is asked, and what is said of one that does not answer.
#include "support/ask.hpp"
#include "support/sanitizers.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace catena;
using catena_test::Answer;
using catena_test::file_text;
using catena_test::own_heap;
using catena_test::TemporaryFolder;

namespace {

namespace fs = std::filesystem;

// A program of two lines of shell.
std::string program(const TemporaryFolder& folder, const std::string& lines) {
  const fs::path file = folder.path() / "peer";
  std::ofstream(file) << "#!/bin/sh\n" << lines << '\n';
  fs::permissions(file, fs::perms::owner_all);
  return file.string();
}

Answer compare(const std::string& peers, const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{
      "compare", "simple_pendulum", "--end",     "1",        "--steppers", "hht",     "--steps",
      "1e-2",    "--tolerances",    "1e-4,1e-6", "--tables", "errors",     "--peers", peers};
  words.insert(words.end(), more.begin(), more.end());
  return catena_test::ask(words);
}

// The pendulum at t = 1 s as published, so far off along x.
std::string results(double off) {
  const nlohmann::json body{{"position", {0.493145875565937660 + off, -0.08250542656277058, 0}},
                            {"quaternion", {0.9965583, 0, 0, -0.0828954}},
                            {"velocity", {0.14845275795815791, 0.88732182055631282, 0}},
                            {"angular_velocity", {0, 0, 1.7993089}}};
  const nlohmann::json run{
      {"setting", "tol = 1e-06"}, {"seconds", 0.25}, {"instants", {{{"time", 1.0}, {"bodies", {body}}}}}};
  return nlohmann::json{
      {"catena_results", 1}, {"code", "other 1.0"}, {"problem", "simple_pendulum"}, {"runs", {run}}}
      .dump();
}

}  // namespace

TEST_CASE("a peer is asked for the motion at the instants of the comparison, and measured as the others") {
  const TemporaryFolder folder;
  const std::string kept = (folder.path() / "kept").string(), answer = (folder.path() / "answer").string();
  std::ofstream(answer) << results(1e-4);
  const std::string peer = program(folder, "cp \"$1\" " + kept + "; cp " + answer +
                                               " \"$2\"; grep -c body: \"$(dirname \"$1\")/model.yaml\"");
  const std::string out = (folder.path() / "out").string();
  const Answer a = compare(peer, {"--repeat", "2", "--output", out});
  CAPTURE(a.err);
  REQUIRE(a.code == exit_ok);
  CHECK(a.out.find("other 1.0  tol = 1e-06  -      250") != std::string::npos);
  const nlohmann::json asked = nlohmann::json::parse(file_text(kept));
  CHECK(asked.at("catena_request") == 1);
  CHECK(asked.at("problem") == "simple_pendulum");
  CHECK(asked.at("begin") == 0.0);
  CHECK(asked.at("end") == 1.0);
  CHECK(asked.at("repeat") == 2);
  CHECK(asked.at("tolerances") == std::vector<double>{1e-4, 1e-6});
  REQUIRE(asked.at("instants").size() == 100);
  CHECK(asked.at("instants").at(24).get<double>() == doctest::Approx(0.25));
  CHECK_FALSE(fs::exists(asked.at("model").get<std::string>()));  // its folder is gone
  const nlohmann::json json = nlohmann::json::parse(file_text(fs::path(out) / "compare.json"));
  const nlohmann::json& problem = json.at("problems").at(0);
  CHECK(problem.at("other_codes").at(0).at("largest_error").at("position").get<double>() ==
        doctest::Approx(1e-4).epsilon(1e-6));
  CHECK(problem.at("peers_not_compared").empty());
  CHECK(json.at("request").at("peers") == std::vector<std::string>{peer});
  // The same again, from the folder: the peer is asked again.
  fs::remove(kept);
  CHECK(catena_test::ask({"compare", "--again", out, "--tables", "errors"}).code == exit_ok);
  CHECK(fs::exists(kept));
}

TEST_CASE("a peer that solves another problem is said and not compared") {
  const TemporaryFolder folder;
  const std::string answer = (folder.path() / "answer").string();
  const std::string peer = program(folder, "cp " + answer + " \"$2\"");
  std::ofstream(answer) << results(0.01);
  const Answer a = compare(peer);
  CHECK(a.code == exit_ok);
  CHECK(a.out.find(
            "not compared: --peers " + peer +
            ": other 1.0 does not come closer to this motion than 1.0e-02 m with any tolerance, where the "
            "bodies move by 1.0e+00 m: it solves another problem\n") != std::string::npos);
  CHECK(a.out.find("other 1.0  tol") == std::string::npos);
}

TEST_CASE("what a peer does not do is said by its own words, and the comparison continues") {
  const TemporaryFolder folder;
  const auto why = [&](const std::string& lines) {
    const std::string peer = program(folder, lines);
    const Answer a = compare(peer);
    CHECK(a.code == exit_ok);
    CHECK(a.out.find("hht") != std::string::npos);
    const std::string before = "not compared: --peers " + peer + ": ";
    const std::size_t at = a.out.find(before);
    REQUIRE(at != std::string::npos);
    std::string line = a.out.substr(at + before.size());
    line.resize(line.find('\n'));
    return line;
  };
  const std::string peer = (folder.path() / "peer").string();
  CHECK(why("echo before >&2; echo 'no springs here' >&2; exit 1") ==
        peer + " does not run simple_pendulum: no springs here");
  CHECK(why("exit 3") == peer + " does not run simple_pendulum: it ended with exit status 3");
  CHECK(why("kill -9 $$") == peer + " does not run simple_pendulum: it ended with exit status 137");
  CHECK(why("exit 0").find(
            "results.json: it cannot be read; docs/reference/compare.md says what such a file holds") !=
        std::string::npos);
  CHECK(why("echo '{\"catena_results\": 1, \"code\": \"o\", \"problem\": \"heavy_top\", \"runs\": "
            "[{\"setting\": \"a\", \"instants\": []}]}' > "
            "\"$2\"") == peer + " was asked for simple_pendulum and gave results of heavy_top");
}

TEST_CASE("a peer that is not there is refused before anything is run") {
  const auto refused = [](const std::string& peer) {
    const Answer a = compare(peer);
    CHECK(a.code == exit_bad_input);
    CHECK(a.out == "");
    return a.err;
  };
  CHECK(refused("simbodyy")
            .starts_with(
                "catena: --peers simbodyy: no peer \"simbodyy\": did you mean \"simbody\"? There is no "
                "catena-peer-simbodyy beside this program, in ../libexec/catena or on the PATH"));
  CHECK(refused("nobody_of_this_name").find("no peer \"nobody_of_this_name\"; there are simbody") !=
        std::string::npos);
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "mine").string();
  std::ofstream(file) << "no program";
  CHECK(refused(file) == "catena: --peers " + file + ": there is no program " + file + " that can be run\n");
}

TEST_CASE("the memory of a run grows with its bodies") {
  const TemporaryFolder folder;
  const auto heap = [&](const char* bodies) {
    const std::string out = (folder.path() / bodies).string();
    REQUIRE(catena_test::ask({"compare", "rod_chain", "--set", bodies, "--end", "0.02", "--steppers", "hht",
                              "--steps", "1e-2,5e-3", "--tables", "errors", "--output", out})
                .code == exit_ok);
    const nlohmann::json run = nlohmann::json::parse(file_text(fs::path(out) / "compare.json"))
                                   .at("problems")
                                   .at(0)
                                   .at("runs")
                                   .at(0);
    return run.at("heap_bytes");
  };
  const nlohmann::json few = heap("n=10"), many = heap("n=100");
  if (own_heap) {
    CHECK(few.is_null());
    return;
  }
  // At least the block of mass of a body and the rows of its joint, at most ten times what a body takes in large models.
  CHECK(many.get<double>() - few.get<double>() > 90 * 8.0 * (21 + 30));
  CHECK(many.get<double>() - few.get<double>() < 90 * 5e4);
}

TEST_CASE("a system in its own coordinates has no model for a peer") {
  const TemporaryFolder folder;
  const Answer a =
      catena_test::ask({"compare", "euler_ball_joint", "--end", "0.1", "--steppers", "dormand_prince",
                        "--tolerances", "1e-6", "--tables", "errors", "--peers", program(folder, "exit 0")});
  CHECK(a.code == exit_ok);
  CHECK(
      a.out.find(
          "not compared: problem euler_ball_joint is a system in its own coordinates, without bodies: it has "
          "no form in a file\n") != std::string::npos);
}
