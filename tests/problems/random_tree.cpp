// The random tree: all joints closed, all kinds there, equal seeds equal bits, a longer tree begins like a shorter one.
#include <catena/assembly/multibody_system.hpp>
#include <catena/builtin/builtin.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/problems/random_tree.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>

using namespace catena;

namespace {

State start_of(int n, std::uint64_t seed) {
  return MultibodySystem(RandomTree({.n = n, .seed = seed}).model()).initial_state();
}

}  // namespace

TEST_CASE("every random tree is closed at the start, has all kinds of joints, and keeps its energy") {
  for (const std::uint64_t seed : {0ULL, 1ULL, 42ULL, 0xffffffffffffffffULL}) {
    CAPTURE(seed);
    const Model model = RandomTree({.n = 40, .seed = seed}).model();
    model.check_initial_positions();
    std::set<std::string> kinds;
    for (int k = 0; k < 40; ++k) {
      const std::string label = model.constraint_label(ConstraintId{k});
      kinds.insert(label.substr(label.find('(')));
    }
    CHECK(kinds.size() == 3);
    Scenario scenario{.problem = "random_tree", .step = 1e-3, .end = 0.1};
    scenario.seed = seed;
    scenario.set("n", 12);
    const Record record = run(scenario, builtin());
    REQUIRE(record.ok());
    CHECK(record.report.redundancy.rank == record.report.rows);
    const MonitorResult& seen = record.report.monitor;
    CHECK(seen.energy_error.value < 1e-4 * seen.kinetic_max);
    CHECK(seen.kinetic_max > 1.0);
  }
}

TEST_CASE("equal seeds give equal bits, others another tree, and more boxes the same first ones") {
  const State a = start_of(20, 5), b = start_of(20, 5), c = start_of(20, 6), longer = start_of(30, 5);
  CHECK(a.q == b.q);
  for (std::size_t k = 0; k < 7; ++k) CHECK(a.q[k] != c.q[k]);
  CHECK(std::equal(a.q.begin(), a.q.begin() + 7 * 20, longer.q.begin()));
}
