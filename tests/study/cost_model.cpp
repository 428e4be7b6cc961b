// What a step costs, predicted: counts of operations, schedules of cores, and a model that gives back what it was made with.
#include <catena/builtin/builtin.hpp>
#include <catena/sparse/detail/block_ldl.hpp>
#include <catena/study/detail/cost_model.hpp>
#include <catena/study/detail/scaling_prediction.hpp>

#include "support/kkt_matrices.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

using namespace catena;
using namespace catena::detail;

namespace {

SizeWork work_of_chain(int n) {
  Scenario scenario{.problem = "helix_chain"};
  scenario.parameters["n"] = std::to_string(n);
  return size_work(scenario, builtin());
}

// With parts = 1: nothing is cut for threads.
SizeWork eliminated(const std::shared_ptr<const BlockPattern>& pattern, int parts) {
  BlockLdl solver;
  SolverOptions options;
  options.parts = parts;
  REQUIRE(solver.analyze(pattern, Border::transposed, options).empty());
  SizeWork work;
  work.chunks = solver.chunk_cycles();
  return work;
}

// So many bodies, each on a joint of its own to the ground.
std::shared_ptr<const BlockPattern> forest(int bodies) {
  auto pattern = std::make_shared<BlockPattern>();
  for (int k = 0; k < bodies; ++k) {
    pattern->primal_size.push_back(6);
    pattern->dual_size.push_back(3);
    pattern->incidences.push_back({k, k});
  }
  pattern->finish();
  return pattern;
}

// Sizes that grow in all their parts alike.
SizeWork alike(double unknowns) {
  SizeWork work;
  work.bodies = static_cast<int>(unknowns / 9.0);
  work.unknowns = unknowns;
  work.cost = 100.0 * unknowns;
  work.matrix_bytes = 70.0 * unknowns;
  work.factor_bytes = 80.0 * unknowns;
  work.analysis_bytes = 30.0 * unknowns;
  work.chunks = {{50.0 * unknowns, 50.0 * unknowns}};
  work.evaluation_chunks = 2;
  return work;
}

Calibration calibration(double unknowns, double seconds_of_unknown) {
  Calibration c{.work = alike(unknowns), .iterations = 2.0, .factorizations = 1.0};
  for (const Phase phase : {Phase::evaluate, Phase::factorize, Phase::solve, Phase::rest})
    c.seconds[static_cast<std::size_t>(phase)] = seconds_of_unknown * unknowns;
  c.peak_bytes = 1e6 + 400.0 * unknowns;
  return c;
}

}  // namespace

TEST_CASE("operations of a chain are those counted by hand") {
  CHECK(work_of_chain(2).flops == 2.0 / 500.0 * work_of_chain(500).flops);
  const SizeWork many = work_of_chain(500);
  CHECK(many.bodies == 500);
  CHECK(many.rows == 1500);
  CHECK(many.unknowns == 4500.0);
  // By segments a body has three columns beside its mass: factor 3^3/3, both sides 2 (3*9 + 9), their products 4*27, solve
  // 3*9 + 3 + 8*9 + 24; the joint before it 3^3/3 + 2*27 + 4*27, solve 10*9.
  CHECK(many.flops == 500.0 * (9.0 + 72.0 + 108.0 + 126.0 + 9.0 + 54.0 + 108.0 + 90.0));
  // The numbers of H, C and D: at least as many as the factor has pivots.
  CHECK(many.matrix_bytes >= 8.0 * 500.0 * (36.0 + 18.0 + 3.0));
  CHECK(many.factor_bytes >= 8.0 * 4500.0);
}

TEST_CASE("a size that cannot be analysed says why") {
  Scenario scenario{.problem = "helix_chain"};
  scenario.parameters["n"] = "0";
  CHECK(size_work(scenario, builtin()).failure.find("n=0") != std::string::npos);
}

TEST_CASE("pieces go to the core that is free first") {
  const std::vector<double> pieces{3.0, 3.0, 2.0, 2.0, 2.0};
  CHECK(greedy_time(pieces, 1) == 12.0);
  CHECK(greedy_time(pieces, 2) == 7.0);
  CHECK(greedy_time(pieces, 5) == 3.0);
  CHECK(greedy_time({}, 4) == 0.0);
}

TEST_CASE("a chain in one piece gains nothing from cores, a forest almost their number, none more") {
  const SizeWork chain = eliminated(catena::test::chain_kkt(600).pattern, 1);
  const SizeWork cut = eliminated(catena::test::chain_kkt(2500).pattern, 0);
  const SizeWork trees = eliminated(forest(6000), 0);
  REQUIRE(trees.chunks.size() == 1);  // nothing waits for anything
  const double all = greedy_time(trees.chunks.front(), 1);
  const double largest = *std::max_element(trees.chunks.front().begin(), trees.chunks.front().end());
  CHECK(trees.chunks.front().size() >= 4);
  CHECK(elimination_speed_up(cut, 2) > 1.5);
  double cut_before = 1.0, trees_before = 1.0;
  for (const int cores : predicted_cores) {
    CAPTURE(cores);
    CHECK(elimination_speed_up(chain, cores) == 1.0);
    for (const auto& [work, before] : {std::pair(&cut, &cut_before), std::pair(&trees, &trees_before)}) {
      const double now = elimination_speed_up(*work, cores);
      CHECK(now >= *before);
      CHECK(now <= cores * (1.0 + 1e-12));
      *before = now;
    }
    // Graham: the core that ends last has waited for none, and its last piece is at most the largest.
    CHECK(elimination_speed_up(trees, cores) * (1.0 + 1e-12) >= all / (all / cores + largest));
  }
  CHECK(elimination_speed_up(SizeWork{}, 8) == 1.0);
}

TEST_CASE("chunks of an evaluation are shared in rounds") {
  SizeWork work;
  work.evaluation_chunks = 5;
  CHECK(evaluation_speed_up(work, 1) == 1.0);
  CHECK(evaluation_speed_up(work, 2) == doctest::Approx(5.0 / 3.0));
  CHECK(evaluation_speed_up(work, 64) == 5.0);
}

TEST_CASE("a price of memory lies between those of the sizes around it") {
  const std::vector<MemoryPrice> prices{{1e3, 1.0}, {1e5, 3.0}};
  CHECK(price_at(prices, 10.0) == 1.0);
  CHECK(price_at(prices, 1e4) == doctest::Approx(2.0));
  CHECK(price_at(prices, 1e9) == 3.0);
  CHECK(price_at({}, 1e9) == 0.0);
}

TEST_CASE("work that grows with the unknowns is predicted exactly, in time and in memory") {
  const CostModel model({{1e3, 1e-10}, {1e9, 1e-10}}, {calibration(900.0, 1e-8), calibration(9000.0, 1e-8)});
  const Prediction p = model.predict(alike(9e6), 1);
  REQUIRE(p.known());
  CHECK(p.of(Phase::evaluate) == doctest::Approx(0.09).epsilon(1e-12));
  CHECK(p.of(Phase::step) == doctest::Approx(0.36).epsilon(1e-12));
  CHECK(p.peak_bytes == doctest::Approx(1e6 + 400.0 * 9e6).epsilon(1e-12));
  // Two chunks of each on two threads; the rest has one.
  CHECK(model.predict(alike(9e6), 2).of(Phase::step) == doctest::Approx(0.09 + 0.27 / 2.0).epsilon(1e-12));
  REQUIRE(p.speed_ups.size() == predicted_cores.size());
  CHECK(p.speed_ups.front().elimination == doctest::Approx(2.0));
  CHECK(p.speed_ups.back().step == doctest::Approx(0.36 / (0.09 + 0.27 / 2.0)).epsilon(1e-12));
}

TEST_CASE("what no longer fits a cache costs the price of its traffic more") {
  const CostModel model({{1e9, 1e-10}, {1e10, 3e-10}}, {calibration(900.0, 1e-8), calibration(9000.0, 1e-8)});
  const SizeWork large = alike(9e8);
  const Prediction p = model.predict(large, 1);
  const double dearer = 2e-10;
  const double own = (400.0 - 180.0) * 9e8;  // besides the solver
  CHECK(p.of(Phase::evaluate) == doctest::Approx(9.0 + dearer * (2.0 * large.matrix_bytes + 2.0 * own)));
  CHECK(p.of(Phase::factorize) == doctest::Approx(9.0 + dearer * (large.matrix_bytes + large.analysis_bytes +
                                                                  3.0 * large.factor_bytes)));
  CHECK(p.of(Phase::solve) ==
        doctest::Approx(9.0 + dearer * (large.analysis_bytes + 2.0 * large.factor_bytes)));
  CHECK(p.of(Phase::rest) == doctest::Approx(9.0 + dearer * 3.0 * own));
}

TEST_CASE("without a run beforehand, or without an analysis, nothing is predicted") {
  SizeWork failed;
  failed.failure = "no";
  CHECK(CostModel({}, {calibration(900.0, 1e-8)}).predict(failed, 1).why_not == "no");
  CHECK_FALSE(CostModel({}, {}).predict(alike(900.0), 1).known());
}

TEST_CASE("calibrations are between the sizes that are asked for") {
  using Sizes = std::vector<std::string>;
  CHECK(calibration_sizes({"100", "1000", "10000"}) == Sizes{"100", "316", "3162"});
  CHECK(calibration_sizes({"1000"}) == Sizes{"32", "125"});
  CHECK(calibration_sizes({"3", "4"}) == Sizes{"3"});
  CHECK(calibration_sizes({"small", "large"}) == Sizes{"small"});
}

TEST_CASE("the prices of this machine are of rising sizes and positive") {
  const std::vector<MemoryPrice> prices = memory_prices();
  REQUIRE(prices.size() == 6);
  for (std::size_t k = 0; k < prices.size(); ++k) {
    CHECK(prices[k].seconds_per_byte > 0.0);
    if (k > 0) CHECK(prices[k].bytes == 4.0 * prices[k - 1].bytes);
  }
}
