#include <catena/math/parts/threads.hpp>
#include <catena/problems/helix_chain.hpp>

#include "solvers/dormand_prince_support.hpp"

namespace dormand_prince_parallel_tests {

using namespace catena_test::explicit_rk;

TEST_CASE("dormand_prince has the same bits on one, two and four threads") {
  const auto end = [](int threads) {
    const ThreadScope scope(threads);
    const MultibodySystem system(HelixChain({.n = 600}).model());
    return end_state(system, 1e-3, 3);
  };
  const State one = end(1), two = end(2), four = end(4);
  CHECK(one.q == two.q);
  CHECK(one.v == two.v);
  CHECK(one.lambda == two.lambda);
  CHECK(one.q == four.q);
  CHECK(one.v == four.v);
  CHECK(one.lambda == four.lambda);
}

}  // namespace dormand_prince_parallel_tests
