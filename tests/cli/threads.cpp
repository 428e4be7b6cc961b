// --threads sets the one arena of the program.
#include <catena/math/parallel.hpp>

#include "support/ask.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

TEST_CASE("--threads sets the arena, 1 without it, and the report says so") {
  const auto run = [](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"run", "simple_pendulum", "--end", "0.01", "--json", "-"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const catena_test::Answer a = catena_test::ask(arguments);
    REQUIRE(a.code == 0);
    const auto json = nlohmann::json::parse(a.out);
    CHECK(json["threads"] == catena::threads());
    return catena::threads();
  };
  CHECK(run({"--threads", "3"}) == 3);
  CHECK(run({}) == 1);
  CHECK(run({"--threads", "2"}) == 2);
  catena::set_threads(0);
  const int all = catena::threads();
  CHECK(run({"--threads", "0"}) == all);
}
