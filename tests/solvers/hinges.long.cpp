// Chains of many hinges: their softest directions yield less than the proximal term adds, and still they start.
#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/solvers/discrete_action.hpp>
#include <catena/solvers/generalized_alpha.hpp>

#include <doctest/doctest.h>

namespace hinges_long_tests {

using namespace catena;
using namespace catena::detail;

TEST_CASE("a helix of ten thousand hinges starts and steps") {
  const HelixChain problem({.n = 10000, .joint = ChainJoint::revolute});
  const RunOptions two_steps{.step = 1e-3, .end = 2e-3};
  SUBCASE("generalized_alpha") {
    const MultibodySystem system(problem.model());
    State state = system.initial_state();
    GeneralizedAlpha stepper;
    CHECK(run(system, stepper, state, two_steps).status == Status::ok);
  }
  SUBCASE("discrete_action") {
    const QuaternionSystem system(problem.model());
    State state = system.initial_state();
    DiscreteAction stepper;
    CHECK(run(system, stepper, state, two_steps).status == Status::ok);
  }
}

}  // namespace hinges_long_tests
