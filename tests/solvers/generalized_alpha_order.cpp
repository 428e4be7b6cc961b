// Orders of generalized_alpha: 2 in positions, velocities and multipliers, on bodies that turn fast and on
// chains that move in three dimensions, for both indices.
#include <catena/problems/heavy_top.hpp>
#include <catena/problems/helix_chain.hpp>

#include "solvers/generalized_alpha_support.hpp"
#include "support/relative.hpp"

namespace generalized_alpha_order_tests {

using namespace catena::detail;

namespace {

using namespace catena_test::alpha;

Model helix(ChainJoint joint) {
  HelixChainParameters p;
  p.n = 10;
  p.joint = joint;
  return HelixChain(p).model();
}

Options tight(Index index) {
  Options o;
  o.index = index;
  o.engine.newton_tolerance = 1e-12;  // well below the differences of runs that are measured, 1e-6
  return o;
}

// The runs differ by c h^2 (1 + O(h)): with h small enough for a second term of 3 per cent the order is
// within 0.05.
void check_orders_of_motion(Model model, double end, double h) {
  const MultibodySystem system(std::move(model));
  for (const Index index : {Index::three, Index::two}) {
    CAPTURE(static_cast<int>(index));
    const Orders order = measured_orders(system, end, h, tight(index));
    CHECK(order.q == catena_test::relative(2.0, 0.025));
    CHECK(order.v == catena_test::relative(2.0, 0.025));
  }
}

struct MultiplierOrders {
  double everywhere, late;  // largest error of all steps, of those from the 50th on
};
MultiplierOrders multiplier_orders(const MultibodySystem& system, double h, const Options& options,
                                   const ExactMultipliers& exact) {
  const auto order = [&](int first) {
    return std::log2(exact.error(system, 2 * h, options, first) / exact.error(system, h, options, first));
  };
  return {order(1), order(50)};
}

void check_orders_of_multipliers(Model model, double end, double h) {
  const MultibodySystem system(std::move(model));
  const ExactMultipliers exact(system, end, h, 16,
                               tight(Index::two));  // itself off by 1/256 of what is measured
  for (const Index index : {Index::three, Index::two}) {
    CAPTURE(static_cast<int>(index));
    const MultiplierOrders order = multiplier_orders(system, h, tight(index), exact);
    CHECK(order.everywhere == catena_test::relative(2.0, 0.025));
    CHECK(order.late == catena_test::relative(2.0, 0.025));
  }
}

}  // namespace

TEST_CASE("heavy top: positions and velocities of order 2.00 at T = 0.1") {
  check_orders_of_motion(HeavyTop().model(), 0.1, 2.5e-4);
}

TEST_CASE("helix chain of 10: positions and velocities of order 2.00 at T = 0.5") {
  check_orders_of_motion(helix(ChainJoint::spherical), 0.5, 2.5e-3);
  check_orders_of_motion(helix(ChainJoint::revolute), 0.5, 2.5e-3);
}

TEST_CASE("multipliers are of order 2 from the first step on with the perturbed start") {
  check_orders_of_multipliers(HeavyTop().model(), 0.1, 2.5e-4);
  check_orders_of_multipliers(helix(ChainJoint::spherical), 0.5, 1.25e-3);
  check_orders_of_multipliers(helix(ChainJoint::revolute), 0.5, 1.25e-3);
}

TEST_CASE("heavy top, index 3: without the perturbed start the multipliers are of order 1") {
  const MultibodySystem system(HeavyTop().model());
  const ExactMultipliers exact(system, 0.1, 1.25e-4, 8, tight(Index::two));
  Options plain = tight(Index::three);
  plain.start = Options::Start::consistent;
  const double order = multiplier_orders(system, 1.25e-4, plain, exact).everywhere;
  CHECK(order > 0.8);
  CHECK(order < 1.2);
  // and their error is a hundred times that of the perturbed start
  CHECK(exact.error(system, 1.25e-4, plain, 1) > 50.0 * exact.error(system, 1.25e-4, tight(Index::three), 1));
}

}  // namespace generalized_alpha_order_tests
