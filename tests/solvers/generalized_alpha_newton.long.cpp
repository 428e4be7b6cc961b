// The end state that the figures of speed belong to.
#include <catena/problems/helix_chain.hpp>
#include <catena/problems/straight_box_chain.hpp>

#include "solvers/generalized_alpha_support.hpp"

namespace generalized_alpha_newton_long_tests {

namespace {

using namespace catena_test::alpha;

void check_end_state(const Model& model) {
  Options exact;
  exact.newton = Newton::exact;
  exact.engine.jacobian = JacobianUpdate::every_iteration;
  exact.engine.newton_tolerance = 1e-13;
  const MultibodySystem system(model);
  Run fast(system, 1e-3), best(system, 1e-3, exact);
  fast.steps(200);
  best.steps(200);
  const double q = distance(coordinates(system, fast.state), coordinates(system, best.state));
  const double v = distance(fast.state.v, best.state.v);
  CHECK(q < 1e-8);
  CHECK(v < 1e-8);
}

}  // namespace

TEST_CASE("straight box chain of 1000: tolerance 1e-10 ends within 1e-8 of exact Newton at 1e-13") {
  StraightBoxChainParameters p;
  p.n = 1000;
  check_end_state(StraightBoxChain(p).model());
}

TEST_CASE("helix chain of 1000: tolerance 1e-10 ends within 1e-8 of exact Newton at 1e-13") {
  HelixChainParameters p;
  p.n = 1000;
  check_end_state(HelixChain(p).model());
}

}  // namespace generalized_alpha_newton_long_tests
