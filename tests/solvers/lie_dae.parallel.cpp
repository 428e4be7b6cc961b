// The number of threads changes no bit of a trajectory.
#include <catena/math/parts/threads.hpp>
#include <catena/problems/helix_chain.hpp>

#include "solvers/lie_dae_support.hpp"
#include "support/same_state.hpp"

namespace lie_dae_parallel_tests {

using namespace catena::detail;

using namespace catena_test::lie;

TEST_CASE("helix chain of 600: the same bits for 1, 2 and 4 threads in every form") {
  HelixChainParameters parameters;
  parameters.n = 600;  // more than two chunks of assembly, more than one subtree of the factorisation
  for (const Index index : forms) {
    CAPTURE(name(index));
    Options o;
    o.index = index;
    std::vector<State> ends;
    for (const int count : {1, 2, 4}) {
      const ThreadScope scope(count);
      const MultibodySystem system(HelixChain(parameters).model());
      Run run(system, 2e-3, o);
      run.steps(4);
      run.step(1e-3);
      ends.push_back(run.state);
    }
    for (const State& s : ends) CHECK(catena_test::same_state(s, ends[0]));
  }
}

}  // namespace lie_dae_parallel_tests
