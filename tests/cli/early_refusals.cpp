// What is refused before anything is run, in one sentence that says what to do.
#include <catena/builtin/builtin.hpp>
#include <catena/cli/cli.hpp>
#include <catena/cli/detail/console_text.hpp>

#include "support/ask.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace catena;
using namespace catena::detail;
using catena_test::file_text;
using catena_test::TemporaryFolder;

namespace {

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string free_body(const TemporaryFolder& folder) {
  const std::string file = (folder.path() / "free.yaml").string();
  std::ofstream(file) << "bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]\nrun: {end: 0.01}\n";
  return file;
}

}  // namespace

TEST_CASE(
    "a back end that cannot take a stepper's matrices is refused with the back ends and options that would "
    "do") {
  catena_test::Answer a = catena_test::ask(
      {"run", "helix_chain", "--set", "n=3", "--backend", "cholmod", "--option", "newton=exact"});
  CHECK(a.code == exit_bad_input);
  CHECK(a.out.empty());  // no report of a run that there was not
  CHECK(std::count(a.err.begin(), a.err.end(), '\n') == 1);
  CHECK(a.err.starts_with("catena: --backend cholmod: cholmod factorises symmetric matrices only"));
  CHECK(says(a.err, "; take ldl, klu, "));
  CHECK(says(a.err, " or spqr; or --option newton=quasi\n"));
  CHECK_FALSE(says(a.err, "cholmod_schur"));

  a = catena_test::ask(
      {"run", "box_chain", "--stepper", "discrete_action", "--backend", "cholmod", "--json", "-"});
  CHECK(a.code == exit_bad_input);
  CHECK(says(a.err, "catena: --backend cholmod: cholmod factorises"));
  CHECK_FALSE(says(a.err, "--option"));  // none would help
  CHECK_FALSE(says(a.err, "Steps"));
  const auto json = nlohmann::json::parse(a.out);
  CHECK(json["status"] == "error");
  CHECK(json["exit_status"] == 2);

  const TemporaryFolder folder;
  a = catena_test::ask({"run", free_body(folder), "--backend", "cholmod_schur"});
  CHECK(a.code == exit_bad_input);
  CHECK(a.err ==
        "catena: --backend cholmod_schur: cholmod_schur needs constraints; take ldl, klu, klu_refactor, "
        "cholmod, "
        "eigen_lu or spqr\n");
}

// What the sentence recommends is run, so that it holds.
TEST_CASE("the remedies that the refusal of a back end names do run") {
  for (const char* backend : {"ldl", "klu", "klu_refactor", "eigen_lu", "spqr"})
    CHECK(catena_test::ask({"run", "helix_chain", "--set", "n=3", "--end", "0.01", "--option", "newton=exact",
                            "--backend", backend})
              .code == exit_ok);
  CHECK(catena_test::ask({"run", "helix_chain", "--set", "n=3", "--end", "0.01", "--option", "newton=quasi",
                          "--backend", "cholmod"})
            .code == exit_ok);
}

TEST_CASE("a report that cannot be written is refused before the run, not after it") {
  const TemporaryFolder folder;
  const std::string here = folder.path().string(), out = (folder.path() / "out").string();
  for (const auto& wrong : {std::pair<std::string, std::string>{here, "it is a folder"},
                            {here + "/report/", "it is the name of a folder"},
                            {here + "/missing/report.json", "there is no folder " + here + "/missing"}}) {
    const std::string &file = wrong.first, &why = wrong.second;
    CAPTURE(file);
    const catena_test::Answer a =
        catena_test::ask({"run", "rod_chain", "--end", "0.01", "--output", out, "--json", file});
    CHECK(a.code == exit_cannot_write);
    CHECK(a.out.empty());
    CHECK(a.err == "catena: cannot write " + file + ": " + why + "; nothing was run\n");
    CHECK_FALSE(std::filesystem::exists(out));
  }
}

TEST_CASE("asking whether a file can be written leaves it and its folder alone") {
  const TemporaryFolder folder;
  const std::string old = (folder.path() / "old.json").string(),
                    fresh = (folder.path() / "new.json").string();
  std::ofstream(old) << "kept";
  CHECK(unwritable(old).empty());
  CHECK(unwritable(fresh).empty());
  CHECK(unwritable("report.json").empty());
  CHECK(unwritable("/dev/null").empty());
  CHECK(file_text(old) == "kept");
  CHECK_FALSE(std::filesystem::exists(fresh));
  CHECK(unwritable(old + "/report.json") != "");  // below a file
}

TEST_CASE("an empty value, as from an unset variable of a shell, is no request to leave an option out") {
  for (const char* option : {"--json", "--output", "--stepper", "--backend", "--end"}) {
    CAPTURE(option);
    const catena_test::Answer a = catena_test::ask({"run", "rod_chain", "--end", "0.01", option, ""});
    CHECK(a.code == exit_bad_input);
    CHECK(a.out.empty());
    CHECK(says(a.err, option));
    CHECK(catena_test::ask({"run", "rod_chain", std::string(option) + "="}).code == exit_bad_input);
  }
  CHECK(catena_test::ask({"check", "rod_chain", "--json", ""}).code == exit_bad_input);
  CHECK(catena_test::ask({"write", "rod_chain", "--output", ""}).code == exit_bad_input);
  CHECK(catena_test::ask({"reproduce", "C", "--quick", "--output", ""}).code == exit_bad_input);
}

TEST_CASE("all mistakes of a command line are reported at once") {
  const catena_test::Answer a = catena_test::ask(
      {"run", "helix_chain", "--set", "n=0", "--set", "foo=1", "--option", "rho_inf=2", "--option", "nix=1",
       "--backend", "foo", "--threads", "-1", "--checkpoint", "soon", "--end", "-1"});
  CHECK(a.code == exit_bad_input);
  CHECK(a.out.empty());
  for (const char* part : {"catena: --set n=0 (", "catena: --set foo=1 (", "catena: --option rho_inf=2 (",
                           "catena: --option nix=1 (", "catena: no back end \"foo\"",
                           "catena: --threads -1: ", "catena: --checkpoint soon: ", "catena: --end -1: "}) {
    CAPTURE(part);
    CHECK(says(a.err, part));
  }
  CHECK(std::count(a.err.begin(), a.err.end(), '\n') == 8);
  for (const char* command : {"check", "write"}) {
    const catena_test::Answer b =
        catena_test::ask({command, "helix_chain", "--set", "n=0", "--set", "foo=1"});
    CHECK(b.code == exit_bad_input);
    CHECK(std::count(b.err.begin(), b.err.end(), '\n') == 2);
  }
}

TEST_CASE("mistakes of the command line are reported beside those of a model file") {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "wrong.yaml").string();
  std::ofstream(file) << "bodies: [{name: a, mass: -1, inertia: [1, 1, 1]}]\n";
  const catena_test::Answer a =
      catena_test::ask({"run", file, "--stepper", "lie_dae", "--option", "order=9", "--json", "-"});
  CHECK(a.code == exit_bad_input);
  CHECK(a.err.starts_with(file +
                          ":1:26: body \"a\": mass must be positive, is -1\ncatena: --option order=9 ("));
  CHECK(says(nlohmann::json::parse(a.out)["error"].get<std::string>(), "--option order=9"));
}

TEST_CASE("what is said of results is refused where no results are asked for") {
  const TemporaryFolder folder;
  const std::string model = free_body(folder), out = (folder.path() / "out").string();
  for (const auto& [option, value] : {std::pair{"--format", "csv"}, std::pair{"--interval", "1"}}) {
    const catena_test::Answer a = catena_test::ask({"run", model, option, value});
    CHECK(a.code == exit_bad_input);
    CHECK(a.err == "catena: " + std::string(option) + " needs --output DIR, the folder for the results\n");
  }
  const std::string with = (folder.path() / "with.yaml").string();
  std::ofstream(with) << "include: free.yaml\nrun: {output: '" << out << "'}\n";
  CHECK(catena_test::ask({"run", with, "--format", "csv"}).code == exit_ok);
  const std::string of = (folder.path() / "of.yaml").string();  // ready for an --output, to be tried without
  std::ofstream(of) << "include: free.yaml\nrun: {format: csv}\n";
  CHECK(catena_test::ask({"run", of}).code == exit_ok);
}

TEST_CASE("quantities, digits and tolerances that cannot be are refused with what could be") {
  const auto refusal = [](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"run", "helix_chain", "--set", "n=3", "--end", "0.01"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const catena_test::Answer a = catena_test::ask(arguments);
    CHECK(a.code == exit_bad_input);
    CHECK(a.out.empty());
    return a.err;
  };
  const std::string unknown = refusal({"--record", "enrgy"});
  CHECK(unknown.starts_with("catena: --record enrgy: "));
  CHECK(says(unknown, "did you mean \"energy\""));
  const std::string no_joint = refusal({"--record", "reactions:nix"});
  CHECK(no_joint.starts_with("catena: --record reactions:nix: "));
  CHECK(refusal({"--precision", "float16"}) ==
        "catena: --precision float16: no precision \"float16\": did you mean \"float64\" or \"float32\"?\n");
  CHECK(
      refusal({"--tolerance", "1e-30"}) ==
      "catena: --tolerance 1e-30: the roundoff of a step is more than this: the least tolerance is 1e-15\n");
  CHECK(refusal({"--tolerance", "0"}) == "catena: --tolerance 0: a tolerance is a number above 0\n");
  CHECK(says(refusal({"--stepper", "rattle", "--tolerance", "1e-6"}), "does not control its error"));
}

TEST_CASE("results hold the quantities that were chosen, in the digits that were chosen") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  const auto run = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"run",      "helix_chain", "--set",       "n=3",
                                       "--end",    "0.01",        "--format",    "csv",
                                       "--output", out,           "--overwrite", "--record"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    CHECK(catena_test::ask(arguments).code == exit_ok);
    return file_text(folder.path() / "out" / "scalars.csv");
  };
  const std::string whole = run({"energy/kinetic"}), half = run({"energy/kinetic", "--precision", "float32"});
  CHECK(says(whole, "kinetic"));
  CHECK_FALSE(says(whole, "momentum"));
  CHECK(half.size() < whole.size());
  CHECK_FALSE(std::filesystem::exists(folder.path() / "out" / "bodies.csv"));
}

TEST_CASE("the size of large results is said before the run") {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  std::ostringstream text, err;
  const std::atomic<bool> stop{true};  // at its first step
  cli({"run", "helix_chain", "--set", "n=1000", "--end", "10", "--every", "1", "--format", "csv", "--output",
       out},
      builtin(), Console{text, err, false, &stop});
  CHECK(says(err.str(), "catena: the results will take about "));
  CHECK(says(err.str(), " GB for 10001 instants: fewer instants (--every)"));
}
