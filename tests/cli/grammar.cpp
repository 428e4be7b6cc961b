// What derives from the grammar of the command line: help, synonyms, the manual page, completion in a shell.
#include "support/ask.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <fstream>

using namespace catena;
using namespace catena::detail;
using catena_test::TemporaryFolder;

namespace {

std::string output_of_shell(const std::string& command) {
  std::string text;
  FILE* const pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  char piece[4096];
  while (std::fgets(piece, sizeof piece, pipe) != nullptr) text += piece;
  pclose(pipe);
  return text;
}

// What bash offers for the last of these words.
std::string offered(const std::string& script, const std::string& words, int current) {
  return output_of_shell("bash -c '. " + script + "; COMP_WORDS=(" + words +
                         "); COMP_CWORD=" + std::to_string(current) + "; _catena; echo \"${COMPREPLY[*]}\"'");
}

}  // namespace

TEST_CASE("help and version are commands too, with the words of the options") {
  for (const char* command : {"run", "resume", "replay", "check", "write", "list", "reproduce", "audit",
                              "compare", "scale", "sweep", "study", "completion"}) {
    CAPTURE(command);
    const catena_test::Answer a = catena_test::ask({"help", command});
    CHECK(a.code == exit_ok);
    CHECK(a.out == catena_test::ask({command, "--help"}).out);
    CHECK(a.err == "");
  }
  CHECK(catena_test::ask({"help"}).out == catena_test::ask({"--help"}).out);
  CHECK(catena_test::ask({"version"}).out == catena_test::ask({"--version"}).out);
  const catena_test::Answer wrong = catena_test::ask({"help", "rnu"});
  CHECK(wrong.code == exit_bad_input);
  CHECK(wrong.err == "catena: no command \"rnu\": did you mean \"run\"?\n");
}

TEST_CASE("--dt is --step and -o is --output") {
  const TemporaryFolder folder;
  const auto report = [](const char* option) {
    const std::string json =
        catena_test::ask({"run", "heavy_top", option, "0.01", "--end", "0.1", "--json", "-"}).out;
    return json.substr(json.find("\"positions\""), json.find("\"time") - json.find("\"positions\""));
  };
  CHECK(report("--dt") == report("--step"));
  const std::string out = (folder.path() / "out").string(), file = (folder.path() / "top.yaml").string();
  CHECK(catena_test::ask({"run", "heavy_top", "--end", "0.01", "--format", "csv", "-o", out}).code ==
        exit_ok);
  CHECK(std::filesystem::exists(out + "/report.json"));
  CHECK(catena_test::ask({"write", "four_bar", "-o", file}).code == exit_ok);
  CHECK(std::filesystem::exists(file));
  CHECK(catena_test::ask({"run", "heavy_top", "--dt", "0"}).err.find("--step 0: 0 is out of range") !=
        std::string::npos);
  CHECK(catena_test::ask({"run", "heavy_top", "-o", ""}).err ==
        "catena: --output has an empty value: give one, or leave it out\n");
}

TEST_CASE("the completion for bash offers commands, options, and the names that belong to a place") {
  if (std::system("bash -c true > /dev/null 2>&1") != 0) return;
  const TemporaryFolder folder;
  const std::string script = (folder.path() / "catena").string();
  const catena_test::Answer written = catena_test::ask({"completion", "bash"});
  CHECK(written.code == exit_ok);
  std::ofstream(script) << written.out;
  CHECK(output_of_shell("bash -n " + script + " 2>&1") == "");
  CHECK(offered(script, "catena re", 1) == "resume replay reproduce report\n");
  CHECK(offered(script, "catena run heav", 2) == "heavy_top\n");
  CHECK(offered(script, "catena run --step 0.1 heav", 4) == "heavy_top\n");
  CHECK(offered(script, "catena run heavy_top --st", 3) == "--stepper --step --strict\n");
  CHECK(offered(script, "catena run heavy_top --stepper hh", 4) == "hht\n");
  CHECK(offered(script, "catena run heavy_top --output \"\"", 4) == "\n");  // files
  CHECK(offered(script, "catena list stat", 2) == "statuses\n");
  CHECK(offered(script, "catena comp", 1) == "compare completion\n");
  CHECK(offered(script, "catena compare heavy_top --st", 3) == "--steppers --steps\n");
  CHECK(offered(script, "catena audit hht four", 3) == "four_bar\n");
  CHECK(offered(script, "catena help chec", 2) == "check\n");
  const std::size_t output = written.out.find("|-o|");  // an option of several commands, once in the pattern
  CHECK(written.out.substr(output + 3, written.out.find(')', output) - output).find("|-o") ==
        std::string::npos);
  CHECK(catena_test::ask({"completion", "zsh"}).err == "catena: no shell \"zsh\": did you mean \"bash\"?\n");
  CHECK(catena_test::ask({"completion", "bash", "own_program"}).out.find("-F _own_program own_program\n") !=
        std::string::npos);
  CHECK(catena_test::ask({"completion", "bash", "a b"}).code == exit_bad_input);
}

TEST_CASE("the manual page names every command and option, and groff reads it without a warning") {
  const std::string page = catena_test::ask({"man"}).out;
  CHECK(page.starts_with(".TH CATENA 1 "));
  for (const char* part : {".SH NAME\ncatena \\- constrained", ".SS run PROBLEM\n",
                           ".SS audit [STEPPER] [PROBLEM]\n", ".SS compare [PROBLEM]\n",
                           ".SS scale PROBLEM\n", ".B \\-\\-steppers LIST\n", ".B \\-\\-step,\\-\\-dt H\n",
                           ".B \\-o,\\-\\-output DIR\n", ".SH EXAMPLES\n.nf\n", ".SH EXIT CODES\n"}) {
    CAPTURE(part);
    CHECK(page.find(part) != std::string::npos);
  }
  if (std::system("groff --version > /dev/null 2>&1") != 0) return;
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "catena.1").string();
  std::ofstream(file) << page;
  CHECK(output_of_shell("groff -man -Tascii -ww -z " + file + " 2>&1") == "");
}

TEST_CASE("an unknown option lists each option of the command once") {
  const std::string err = catena_test::ask({"check", "heavy_top", "--qqqqqqqqqqqqqqq"}).err;
  CHECK(err.find("no option \"--qqqqqqqqqqqqqqq\"; there are --help, --set, --json\n") != std::string::npos);
}
