// Mechanisms that read, or nearly so, and are wrong: every file of tests/cli/broken beside what is said of it.
#include <catena/cli/cli.hpp>

#include "support/ask.hpp"
#include "support/source_folder.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace broken_mechanisms_tests {

namespace {

using catena_test::Answer;
using catena_test::ask;
using catena_test::file_text;

// '$ check 1', '$ run --strict 4': a command, its arguments and its exit code; then lines of which each must be said
// there, whole or as a part of one.
struct Expected {
  std::vector<std::string> command;
  int code = 0;
  std::vector<std::string> lines;
};

std::vector<Expected> expected_of(const std::filesystem::path& file) {
  std::vector<Expected> all;
  std::istringstream text(file_text(file));
  for (std::string line; std::getline(text, line);) {
    if (!line.starts_with("$ ")) {
      REQUIRE(!all.empty());
      all.back().lines.push_back(line);
      continue;
    }
    Expected next;
    std::istringstream words(line.substr(2));
    for (std::string word; words >> word;) next.command.push_back(word);
    REQUIRE(next.command.size() >= 2);
    next.code = std::stoi(next.command.back());
    next.command.pop_back();
    all.push_back(std::move(next));
  }
  return all;
}

}  // namespace

TEST_CASE("of every broken mechanism it is said what is wrong with it, with the exit code of that") {
  const std::filesystem::path folder = catena_test::source_folder() / "tests/cli/broken";
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  CHECK(files.size() >= 67);
  for (const std::filesystem::path& file : files) {
    CAPTURE(file.filename().string());
    std::filesystem::path text = file;
    text.replace_extension(".txt");
    const std::vector<Expected> expected = expected_of(text);
    CHECK(!expected.empty());
    for (const Expected& one : expected) {
      std::vector<std::string> arguments = one.command;
      arguments.insert(arguments.begin() + 1, file.string());
      CAPTURE(one.command.front());
      const Answer answer = ask(arguments);
      CHECK(answer.code == one.code);
      CHECK(!one.lines.empty());
      const std::string said = answer.err + answer.out;
      CAPTURE(said);
      for (const std::string& line : one.lines) {
        CAPTURE(line);
        CHECK(said.find(line) != std::string::npos);
      }
    }
  }
}

}  // namespace broken_mechanisms_tests
