// What varies is in the table of a sweep as it was given.
#include <catena/builtin/builtin.hpp>
#include <catena/study/detail/database.hpp>
#include <catena/study/sweep.hpp>

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

using namespace catena;

TEST_CASE("whole numbers keep all their digits, those that are drawn too") {
  const std::vector<std::string> seeds{"9007199254740993", "9007199254740992", "-9223372036854775808",
                                       "18446744073709551615"};
  const Catalog catalog = builtin();
  detail::Database database({}, detail::Database::Mode::owned);
  database.run("CREATE TABLE seeds (seed)");
  detail::Statement insert(database, "INSERT INTO seeds VALUES (?)");
  for (const std::string& seed : seeds) insert.bind_cell(0, seed).run();
  detail::Statement all(database, "SELECT seed FROM seeds");
  for (const std::string& seed : seeds) {
    REQUIRE(all.next());
    CHECK(all.cell(0) == seed);
  }

  Sweep sweep{.base = {.problem = "simple_pendulum", .step = 1e-3, .end = 2e-3}};
  sweep.axes = {axis_from_text("seed=9007199254740993,9007199254740992")};
  sweep.keep = {reduction_from_text("end energy/kinetic")};
  run_sweep(SweepRows(sweep), catalog, {.table = [](SweepTable& table) {
              const SweepSummary summary = table.summary();
              REQUIRE(summary.groups.size() == 3);
              CHECK(summary.groups[1].name == "seed = 9007199254740993");
              CHECK(summary.groups[2].name == "seed = 9007199254740992");
            }});
  sweep.axes = {axis_from_text("seed=uniform:1e19:1.8e19")};
  sweep.samples = 2;
  const SweepRows drawn(sweep, catalog);
  run_sweep(drawn, catalog, {.table = [&](SweepTable& table) {
              std::ostringstream csv;
              table.write_csv(csv);
              const std::string second = "\n1," + drawn.values(1)[0] + ",ok,";
              CHECK(drawn.values(1)[0].find_first_not_of("0123456789") == std::string::npos);
              CHECK(csv.str().find(second) != std::string::npos);
            }});
}
