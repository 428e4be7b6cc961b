// alpha_rattle carries the same bits with any number of threads.
#include <catena/math/parts/threads.hpp>
#include <catena/problems/helix_chain.hpp>

#include "solvers/alpha_rattle_support.hpp"

namespace alpha_rattle_parallel_tests {

using namespace catena::detail;

TEST_CASE("helix chain of 600: the same bits with 1, 2 and 4 threads") {
  using namespace catena_test::rattle;
  HelixChainParameters p;
  p.n = 600;  // more than two chunks of assembly, more than one subtree of the factorisation
  for (const auto index : {Options::Index::three, Options::Index::two}) {
    std::vector<State> end;
    for (const int threads : {1, 2, 4}) {
      const ThreadScope scope(threads);
      const MultibodySystem system(HelixChain(p).model());
      Options o;
      o.index = index;
      Run run(system, 1e-3, o);
      run.steps(10);
      end.push_back(run.state);
    }
    for (const State& s : end) {
      CHECK(s.q == end[0].q);
      CHECK(s.v == end[0].v);
      CHECK(s.lambda == end[0].lambda);
    }
  }
}

}  // namespace alpha_rattle_parallel_tests
