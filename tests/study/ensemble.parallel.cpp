// Many scenarios on several threads: records in order, the bits of each alone, failures that stay where they are.
#include <catena/builtin/builtin.hpp>
#include <catena/study/ensemble.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace catena;

namespace {

const Catalog& ensemble_catalog() {
  static const Catalog catalog = builtin();
  return catalog;
}

std::vector<Scenario> chains(int count) {
  std::vector<Scenario> scenarios;
  for (int k = 0; k < count; ++k) {
    Scenario scenario{.problem = "helix_chain", .step = 1e-3, .end = 0.02, .record = "energy"};
    scenarios.push_back(scenario.set("n", 2 + k));
  }
  return scenarios;
}

}  // namespace

TEST_CASE("an ensemble has the records of its scenarios in their order, with the bits of each alone") {
  std::vector<Scenario> scenarios = chains(7);
  scenarios[2].stepper = "no_such_method";
  scenarios[4].step = 1.0;  // too long for any step of this chain
  scenarios[4].end = 5.0;
  scenarios[4].options = {{"max_newton_iterations", "1"}};
  scenarios[4].max_cuts = 0;
  for (const int threads : {1, 2, 3}) {
    CAPTURE(threads);
    std::multiset<std::size_t> reported;
    const auto done = [&](std::size_t row, Record& record) {
      CHECK(record.report.threads == 1);
      reported.insert(row);
    };
    const std::vector<Record> records =
        run_ensemble(scenarios, ensemble_catalog(), {.threads = threads, .done = done});
    REQUIRE(records.size() == scenarios.size());
    CHECK(reported == std::multiset<std::size_t>{0, 1, 2, 3, 4, 5, 6});
    for (std::size_t k = 0; k < records.size(); ++k) {
      CAPTURE(k);
      const Record alone = try_run(scenarios[k], ensemble_catalog());
      CHECK(records[k].key == alone.key);
      CHECK(records[k].ok() == (k != 2 && k != 4));
      CHECK(records[k].report.run.status == alone.report.run.status);
      CHECK(records[k].state.q == alone.state.q);
      CHECK(records[k].state.v == alone.state.v);
      CHECK(records[k].table.values == alone.table.values);
    }
    CHECK(records[4].report.error.empty());
    CHECK(records[4].report.run.status == Status::step_too_small);
    CHECK(records[2].report.error.find("no_such_method") != std::string::npos);
  }
}

TEST_CASE("rows run on one thread each, whatever the ensemble has, unless more are asked for") {
  const std::vector<Scenario> scenarios = chains(3);
  const std::vector<Record> one = run_ensemble(scenarios, ensemble_catalog(), {.threads = 4});
  const std::vector<Record> two =
      run_ensemble(scenarios, ensemble_catalog(), {.threads = 4, .threads_of_row = 2});
  EnsembleOptions each{.threads = 4, .threads_of_row = 2};
  each.threads_in = [](std::size_t row) {
    return static_cast<int>(row);
  };  // 0 and more than 2 are no numbers of these
  const std::vector<Record> own = run_ensemble(scenarios, ensemble_catalog(), each);
  for (std::size_t k = 0; k < scenarios.size(); ++k) {
    CHECK(own[k].report.threads == (k == 2 ? 2 : 1));
    CHECK(own[k].state.q == one[k].state.q);
    CHECK(one[k].report.threads == 1);
    CHECK(two[k].report.threads == 2);
    CHECK(one[k].state.q == two[k].state.q);
  }
}

TEST_CASE("an ensemble that is stopped keeps what has ended and begins nothing more") {
  const std::vector<Scenario> scenarios = chains(5);
  std::atomic<bool> stop{false};
  const auto done = [&](std::size_t row, Record&) { stop = row == 1; };
  const std::vector<Record> records =
      run_ensemble(scenarios, ensemble_catalog(), {.stop = &stop, .done = done});
  CHECK(records[0].ok());
  CHECK(records[1].ok());
  for (std::size_t k = 2; k < 5; ++k) {
    CHECK(!records[k].ok());
    CHECK(records[k].report.run.interrupted);
    CHECK(records[k].report.error == "interrupted before it ended");
    CHECK(records[k].scenario == scenarios[k]);
  }
}

TEST_CASE("a row that takes too long ends with the status stopped and says why; the others run on") {
  std::vector<Scenario> scenarios = chains(2);
  scenarios[0].end = 1e6;  // hours
  const std::vector<Record> records = run_ensemble(scenarios, ensemble_catalog(), {.row_seconds = 0.2});
  CHECK(records[0].report.run.status == Status::stopped);
  CHECK(records[0].report.run.message == "the row took longer than 0.2 s");
  CHECK(!records[0].report.run.interrupted);
  CHECK(records[0].state.t > 0.0);
  CHECK(records[1].ok());
}

TEST_CASE("what is reported of a row may end the ensemble by throwing") {
  int reported = 0;
  const auto done = [&](std::size_t, Record&) {
    ++reported;
    std::this_thread::sleep_for(
        std::chrono::milliseconds(100));  // the other thread has a row too by then, and waits
    throw std::runtime_error("enough");
  };
  for (const int threads : {1, 2}) {
    reported = 0;
    CHECK_THROWS_WITH(run_ensemble(chains(6), ensemble_catalog(), {.threads = threads, .done = done}),
                      "enough");
    CHECK(reported == 1);
  }
}

TEST_CASE("rows that are made on demand are asked for once each") {
  constexpr std::size_t count = 20;
  std::vector<std::atomic<int>> asked(count);
  std::vector<std::string> keys(count);
  const std::vector<Scenario> scenarios = chains(4);
  const auto scenario = [&](std::size_t row) {
    ++asked[row];
    return scenarios[row % 4];
  };
  const auto done = [&](std::size_t row, Record& record) { keys[row] = record.key; };
  run_rows(count, scenario, ensemble_catalog(), {.threads = 2, .done = done});
  for (std::size_t k = 0; k < count; ++k) {
    CHECK(asked[k] == 1);
    CHECK(keys[k] == content_key(scenarios[k % 4], ensemble_catalog()));
  }
}
