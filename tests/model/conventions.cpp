// Every numbered line of docs/reference/conventions.md has its test in conventions_*.cpp beside this file.
#include "model/conventions.hpp"

#include "support/source_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

using namespace catena::detail;

TEST_CASE("every numbered line of the page of conventions has its test") {
  const auto page = catena_test::source_folder() / "docs/reference/conventions.md";
  std::ifstream in(page);
  REQUIRE(in.good());
  std::set<int> lines;
  for (std::string line; std::getline(in, line);) {
    const std::size_t dot_at = line.find(". ");
    if (dot_at == 0 || dot_at > 3 || line.find_first_not_of("0123456789") != dot_at) continue;
    lines.insert(std::stoi(line));
  }
  CHECK(lines.size() > 20);
  CHECK(lines == convention::asserted());
}
