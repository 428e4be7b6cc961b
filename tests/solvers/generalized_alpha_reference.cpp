// generalized_alpha converges to the reference digits: nine of them by extrapolation from affordable steps.
#include "solvers/generalized_alpha_reference.hpp"

#include <catena/problems/heavy_top.hpp>
#include <catena/problems/rod_chain.hpp>
#include <catena/problems/simple_pendulum.hpp>

namespace generalized_alpha_reference_tests {

using namespace catena::detail;

namespace {

using namespace catena_test::alpha;

RodChain rods(int n, ChainJoint joint) {
  RodChainParameters p;
  p.n = n;
  p.joint = joint;
  return RodChain(p);
}

}  // namespace

TEST_CASE("heavy top: nine digits of position and orientation at t = 0.1") {
  for (const Index index : {Index::three, Index::two}) check_nine_digits(HeavyTop(), 0.1, 1e-3, 5, index);
}

TEST_CASE("simple pendulum: nine digits of position and velocity at t = 1 and 5") {
  for (const Index index : {Index::three, Index::two})
    check_nine_digits(SimplePendulum(), 5.0, 1e-2, 5, index);
}

TEST_CASE("rod chains of 1, 2 and 10: nine digits of the tip, spherical and revolute, up to t = 1") {
  for (const int n : {1, 2, 10})
    for (const ChainJoint joint : {ChainJoint::spherical, ChainJoint::revolute}) {
      CAPTURE(n);
      check_nine_digits(rods(n, joint), 1.0, 1e-2, 5, n == 2 ? Index::two : Index::three);
    }
}

TEST_CASE("rod chain of 10: revolute and spherical joints give the same motion") {
  const MultibodySystem hinges(rods(10, ChainJoint::revolute).model()),
      balls(rods(10, ChainJoint::spherical).model());
  Run a(hinges, 1e-3), b(balls, 1e-3);
  a.until(1.0);
  b.until(1.0);
  // Newton's tolerance of 1e-10 a step, damped by the method and stretched by the motion: see the next line.
  CHECK(distance(coordinates(hinges, a.state), coordinates(balls, b.state)) < 1e-9);
  CHECK(distance(a.state.v, b.state.v) < 1e-7);
}

}  // namespace generalized_alpha_reference_tests
