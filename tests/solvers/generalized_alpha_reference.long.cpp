// The reference digits that take longer: late instants and the chain of 100.
#include "solvers/generalized_alpha_reference.hpp"

#include <catena/problems/heavy_top.hpp>
#include <catena/problems/rod_chain.hpp>
#include <catena/problems/simple_pendulum.hpp>

namespace generalized_alpha_reference_long_tests {

using namespace catena::detail;

namespace {

using namespace catena_test::alpha;

void check_rods(int n, ChainJoint joint, double end, double h, int levels) {
  RodChainParameters p;
  p.n = n;
  p.joint = joint;
  CAPTURE(n);
  check_nine_digits(RodChain(p), end, h, levels, Index::three);
}

}  // namespace

TEST_CASE("heavy top: nine digits up to t = 1") { check_nine_digits(HeavyTop(), 1.0, 5e-4, 5, Index::three); }

TEST_CASE("simple pendulum: nine digits up to t = 10") {
  check_nine_digits(SimplePendulum(), 10.0, 1e-2, 5, Index::three);
}

TEST_CASE("rod chains of 1, 2 and 10: nine digits of the tip up to t = 2") {
  for (const int n : {1, 2, 10}) check_rods(n, ChainJoint::revolute, 2.0, n == 10 ? 2.5e-3 : 1e-2, 5);
}

TEST_CASE("rod chain of 100: nine digits of the tip up to t = 1, spherical and revolute") {
  for (const ChainJoint joint : {ChainJoint::revolute, ChainJoint::spherical})
    check_rods(100, joint, 1.0, 1e-2, 5);
}

}  // namespace generalized_alpha_reference_long_tests
