// --threads is of one run, and stays in it.
#include <catena/math/parts/threads.hpp>

#include "support/ask.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

TEST_CASE("--threads is what the report says, 1 without it, and nothing of it is left behind") {
  const auto run = [](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"run", "simple_pendulum", "--end", "0.01", "--json", "-"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const catena_test::Answer a = catena_test::ask(arguments);
    REQUIRE(a.code == 0);
    CHECK(catena::threads() == 1);
    return nlohmann::json::parse(a.out)["threads"].get<int>();
  };
  CHECK(run({"--threads", "3"}) == 3);
  CHECK(run({}) == 1);
  CHECK(run({"--threads", "2"}) == 2);
  const catena::ThreadScope all(0);
  const int here = catena::threads();
  std::vector<std::string> arguments{"run", "simple_pendulum", "--end", "0.01", "--json",
                                     "-",   "--threads",       "0"};
  CHECK(nlohmann::json::parse(catena_test::ask(arguments).out)["threads"] == here);
}
