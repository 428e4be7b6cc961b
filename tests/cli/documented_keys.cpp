// The page of the command line names every option of every command and every key of the report, and no others.
#include <catena/builtin/builtin.hpp>
#include <catena/cli/cli.hpp>

#include "support/ask.hpp"
#include "support/source_folder.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <set>
#include <sstream>

using namespace catena;
using namespace catena::detail;

namespace {

using Words = std::set<std::string>;

std::string page() {
  return catena_test::file_text(catena_test::source_folder() / "docs/reference/command_line.md");
}

// What is between backticks in the first cells of the table below the heading.
Words keys_of_table(const std::string& heading) {
  std::istringstream lines(page().substr(page().find(heading)));
  Words keys;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| `")) {
      if (inside) break;
      continue;
    }
    inside = true;
    std::istringstream cell(line.substr(0, line.find(" | ", 1)));
    bool word = false;
    for (std::string part; std::getline(cell, part, '`'); word = !word)
      if (word) keys.insert(part);
  }
  return keys;
}

// The words of a text that begin with "--".
Words options_in(const std::string& text) {
  Words found;
  for (std::size_t at = text.find("--"); at != std::string::npos; at = text.find("--", at)) {
    const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", at);
    if (end != at + 2) found.insert(text.substr(at, end - at));
    at = end;
  }
  return found;
}

}  // namespace

TEST_CASE("the page of the command line names the keys of the report, all and no others") {
  const catena_test::TemporaryFolder folder;
  const auto report =
      nlohmann::json::parse(catena_test::ask({"run", "simple_pendulum", "--end", "0.01", "--json", "-"}).out);
  Words printed;
  for (const auto& [key, value] : report.items()) printed.insert(key);
  CHECK(printed == keys_of_table("## The report as JSON"));
  CHECK(report["velocity_components"] == 6);
  CHECK(report["velocities"].size() == 1);  // a list, one entry a body
}

TEST_CASE("the synopsis names the options of every command") {
  const std::string text = page().substr(0, page().find("\n## "));
  for (const char* command :
       {"run", "resume", "check", "write", "list", "reproduce", "sweep", "study", "compare", "scale"}) {
    CAPTURE(command);
    std::string synopsis;
    const std::string call = std::string("    catena ") + command + ' ';
    for (std::size_t at = text.find(call); at != std::string::npos; at = text.find(call, at + 8))
      synopsis += text.substr(at, text.find("    catena ", at + 8) - at);
    std::istringstream help(catena_test::ask({command, "--help"}).out);
    Words offered;
    for (std::string line; std::getline(help, line);)
      if (line.starts_with("  -")) offered.merge(options_in(line.substr(0, line.find(' ', 2))));
    offered.erase("--help");  // of every command
    CHECK(offered == options_in(synopsis));
  }
}
