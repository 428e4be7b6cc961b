// The number of threads changes no bit of a trajectory.
#include <catena/math/parts/threads.hpp>
#include <catena/problems/helix_chain.hpp>

#include "solvers/discrete_action_support.hpp"
#include "support/same_state.hpp"

#include <doctest/doctest.h>

namespace discrete_action_parallel_tests {

using namespace catena;
using namespace catena_test;

TEST_CASE("helix chain of 600: the same bits for 1, 2 and 4 threads") {
  HelixChainParameters parameters;
  parameters.n = 600;  // more than two chunks of assembly, more than one subtree of the factorisation
  std::vector<State> ends;
  for (const int count : {1, 2, 4}) {
    const ThreadScope scope(count);
    const QuaternionSystem system(HelixChain(parameters).model());
    Run run(system, 0.002);
    run.steps(10);
    ends.push_back(run.state);
  }
  for (const State& s : ends) CHECK(catena_test::same_state(s, ends[0]));
}

}  // namespace discrete_action_parallel_tests
