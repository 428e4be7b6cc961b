// Solvers of equal patterns share one analysis, and solve to the same bits as alone.
#include <catena/builtin/builtin.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/sparse/detail/block_ldl.hpp>
#include <catena/sparse/detail/shared_analyses.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <vector>

using namespace catena;
using namespace catena::detail;

namespace {

// A chain of blocks, each tied to the next.
std::shared_ptr<BlockPattern> chain_pattern(int blocks, int rows) {
  auto pattern = std::make_shared<BlockPattern>();
  pattern->primal_size.assign(static_cast<std::size_t>(blocks), 6);
  pattern->dual_size.assign(static_cast<std::size_t>(blocks - 1), rows);
  for (int k = 0; k + 1 < blocks; ++k) {
    pattern->incidences.push_back({k, k});
    pattern->incidences.push_back({k, k + 1});
  }
  pattern->finish();
  return pattern;
}

// How many distinct analyses the solvers of these patterns have left.
long analyses(const std::vector<std::shared_ptr<BlockPattern>>& patterns,
              const std::vector<SolverOptions>& options) {
  SharedAnalyses shared;
  long count = 0;
  for (std::size_t k = 0; k < patterns.size(); ++k) {
    const bool known = shared.find(*patterns[k], Border::transposed, options[k]) != nullptr;
    BlockLdl solver;
    CHECK(solver.analyze(patterns[k], Border::transposed, options[k]).empty());
    CHECK(solver.factor_flops() >
          0.0);  // where there are couplings, the analysis waits for someone to need it
    CHECK(shared.find(*patterns[k], Border::transposed, options[k]) != nullptr);
    count += known ? 0 : 1;
  }
  return count;
}

}  // namespace

TEST_CASE("equal patterns with equal options have one analysis, others their own") {
  const SolverOptions ldlt{}, ldu{.factorization = Factorization::ldu}, cut{.parts = 2};
  CHECK(analyses({chain_pattern(9, 4), chain_pattern(9, 4), chain_pattern(9, 4)}, {ldlt, ldlt, ldlt}) == 1);
  CHECK(analyses({chain_pattern(9, 4), chain_pattern(9, 2), chain_pattern(8, 4)}, {ldlt, ldlt, ldlt}) == 3);
  CHECK(analyses({chain_pattern(9, 4), chain_pattern(9, 4), chain_pattern(9, 4)}, {ldlt, ldu, cut}) == 3);
  const auto coupled = chain_pattern(9, 4), tied = chain_pattern(9, 4), placed = chain_pattern(9, 4);
  coupled->couplings.push_back({0, 1});
  tied->incidences.back().primal = 0;
  placed->incidence_place.resize(placed->incidences.size());
  for (std::size_t k = 0; k < placed->incidences.size(); ++k)
    placed->incidence_place[k] = static_cast<int>(k);
  CHECK(analyses({chain_pattern(9, 4), coupled, tied, placed}, {ldlt, ldlt, ldlt, ldlt}) == 4);
}

TEST_CASE("without a scope nothing is kept, and the innermost scope counts") {
  CHECK(SharedAnalyses::current() == nullptr);
  {
    const SharedAnalyses outer;
    CHECK(SharedAnalyses::current() == &outer);
    {
      const SharedAnalyses inner;
      CHECK(SharedAnalyses::current() == &inner);
    }
    CHECK(SharedAnalyses::current() == &outer);
  }
  CHECK(SharedAnalyses::current() == nullptr);
}

TEST_CASE("the oldest analyses go first, and a very large one is not kept") {
  SharedAnalyses shared;
  const auto analysis = std::make_shared<int>(1);
  for (int blocks = 2; blocks < 22; ++blocks)
    shared.keep(chain_pattern(blocks, 1), Border::transposed, {}, analysis);
  CHECK(shared.find(*chain_pattern(2, 1), Border::transposed, {}) == nullptr);
  CHECK(shared.find(*chain_pattern(21, 1), Border::transposed, {}) == analysis);
  shared.keep(chain_pattern(20'000, 1), Border::transposed, {}, analysis);
  CHECK(shared.find(*chain_pattern(20'000, 1), Border::transposed, {}) == nullptr);
}

TEST_CASE("a run with the analysis of an earlier one has the bits that it has alone") {
  const Catalog catalog = builtin();
  for (const char* stepper : {"generalized_alpha", "alpha_rattle", "lie_dae", "discrete_action"}) {
    CAPTURE(stepper);
    Scenario scenario{.problem = "helix_chain", .stepper = stepper, .step = 1e-3, .end = 0.01};
    scenario.set("n", 7);
    Scenario other = scenario;
    other.set("gravity", 3.0);
    const Record alone = run(scenario, catalog);
    const SharedAnalyses shared;
    CHECK(run(other, catalog).ok());
    const Record after = run(scenario, catalog);
    CHECK(after.state.q == alone.state.q);
    CHECK(after.state.v == alone.state.v);
    CHECK(after.state.lambda == alone.state.lambda);
    CHECK(after.report.statistics.factorizations == alone.report.statistics.factorizations);
  }
}
