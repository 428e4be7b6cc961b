// The number of threads changes no bit of a run with ida: evaluations are the same, IDA and KLU use one thread.
#include <catena/math/parts/threads.hpp>
#include <catena/problems/helix_chain.hpp>

#include "solvers/ida_support.hpp"

namespace ida_parallel_tests {

using namespace catena_test::ida;

TEST_CASE("helix chain of 300: the same bits for 1, 2 and 4 threads") {
  HelixChainParameters parameters;
  parameters.n = 300;  // more than two chunks of assembly
  std::vector<State> ends;
  for (const int count : {1, 2, 4}) {
    const ThreadScope scope(count);
    const QuaternionSystem system(HelixChain(parameters).model());
    Run run(system, with(Form::gear_gupta_leimkuhler, 1e-3, 1e-3));
    for (int k = 0; k < 4; ++k) {
      run.outcome = run.stepper.step(run.state, run.h);
      REQUIRE(run.outcome.status == Status::ok);
      run.h = run.outcome.h_next;
    }
    ends.push_back(run.state);
  }
  for (const State& s : ends) {
    CHECK(s.t == ends[0].t);
    CHECK(s.q == ends[0].q);
    CHECK(s.v == ends[0].v);
    CHECK(s.lambda == ends[0].lambda);
  }
}

}  // namespace ida_parallel_tests
