// Orders of lie_dae: those of its traits in q, v and lambda, for every form, also where the step changes.
#include <catena/problems/helix_chain.hpp>

#include "solvers/lie_dae_support.hpp"
#include "support/few_cases.hpp"
#include "support/relative.hpp"

namespace lie_dae_order_tests {

using namespace catena::detail;

namespace {

using namespace catena_test::lie;

Options of(Index index, int order) {
  Options o;
  o.index = index;
  o.order = order;
  o.engine.newton_tolerance = 1e-13;  // well below the differences of runs that are measured
  return o;
}

Model helix(ChainJoint joint) {
  HelixChainParameters p;
  p.n = 10;
  p.joint = joint;
  return HelixChain(p).model();
}

// Runs at h, h/2, h/4 differ by c h^p (1 + C h): with a second term of a few per cent of the first the order is
// within `slack`. Multipliers: at the end, and the largest difference of all steps from the first on.
void check_orders(const System& system, double end, double h, double slack, bool alternating = false) {
  for (const Index index : forms)
    for (const int order : {1, 2}) {
      // few: every form, and each order with two of them
      if (catena_test::few_cases && (index == Index::two || index == Index::three) != (order == 2)) continue;
      CAPTURE(name(index));
      CAPTURE(order);
      const Orders measured = measured_orders(system, end, h, of(index, order), alternating);
      CHECK(measured.q == catena_test::relative(order, slack));
      CHECK(measured.v == catena_test::relative(order, slack));
      CHECK(measured.lambda_end == catena_test::relative(order, slack));
      CHECK(measured.lambda_late == catena_test::relative(order, slack));
      CHECK(measured.lambda_all >= order * (1.0 - slack));
    }
}

}  // namespace

TEST_CASE(
    "two-link manipulator up to T = 0.1, where it is not yet chaotic: q, v and lambda of order 1 and 2") {
  // At h = 1e-4 the order 1 of lambda at the end is still 0.94: its second term is large.
  check_orders(MultibodySystem(TwoLinkManipulator().model()), 0.1, 5e-5, 0.04);
}

TEST_CASE("helix chain of 10, both joints: q, v and lambda of order 1 and 2") {
  if (!catena_test::few_cases)
    check_orders(MultibodySystem(helix(ChainJoint::spherical)), 0.2, 1.25e-3, 0.04);
  check_orders(MultibodySystem(helix(ChainJoint::revolute)), 0.2, 1.25e-3, 0.04);
}

TEST_CASE("steps of 4/3 and 2/3 h in turn cost no order, not even of lambda at index 3") {
  if (!catena_test::few_cases)
    check_orders(MultibodySystem(TwoLinkManipulator().model()), 0.1, 1e-4, 0.06, true);
  check_orders(MultibodySystem(helix(ChainJoint::spherical)), 0.2, 1.25e-3, 0.08, true);
}

TEST_CASE(
    "index 3, order 1: without the perturbed start lambda of the first step is off by O(1), with it by "
    "O(h)") {
  const MultibodySystem system(TwoLinkManipulator().model());
  for (const bool perturbed : {false, true}) {
    Options o = of(Index::three, 1);
    o.perturbed_start = perturbed;
    const auto jump = [&](double h) {  // from the exact multipliers of t = 0, which change by O(h) themselves
      Run run(system, h, o);
      const Vector exact = run.state.lambda;
      run.step();
      return distance(run.state.lambda, exact);
    };
    // half of the centripetal forces, up to 12 337 N, is missing
    const double coarse = jump(1e-4), fine = jump(1e-5);
    CHECK(coarse / fine == catena_test::relative(perturbed ? 10.0 : 1.0, 0.1));
    if (!perturbed) CHECK(fine == catena_test::relative(6169.0, 0.01));
  }
}

}  // namespace lie_dae_order_tests
