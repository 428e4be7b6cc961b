// How lie_dae looks at the velocity rows that index 1 lets drift.
#include <catena/kkt/consistent.hpp>
#include <catena/problems/rod_chain.hpp>

#include "solvers/lie_dae_support.hpp"
#include "support/allocation_count.hpp"

namespace lie_dae_drift_tests {

using namespace catena::detail;

namespace {

using namespace catena_test::lie;

// The part of the kinetic energy that the velocity rows forbid.
double forbidden_part(const System& system, const State& state) {
  KktSolver kkt;
  REQUIRE(kkt.attach(system, {}).empty());
  ConsistentValues consistent(system, kkt);
  State allowed = state;
  double change = 0.0;
  REQUIRE(consistent.project_velocities(state.t, state.q.data(), allowed.v.data(), change).status ==
          Status::ok);
  const auto kinetic = [&](const Vector& v) {
    return system.energy({.t = state.t, .q = state.q.data(), .v = v.data()}).kinetic;
  };
  return 1.0 - kinetic(allowed.v) / kinetic(state.v);
}

}  // namespace

// Order 1 lets the rate of a hinge drift by a centimetre a second; where the pendulum turns back nothing else moves,
// and the rows are looked at closely, whose matrix has to be made for that.
TEST_CASE(
    "index 1: steps that suspect a drift of the rows allocate nothing, and keep the bits of kept matrices") {
  const MultibodySystem system(RodChain({.n = 1}).model());
  for (const JacobianUpdate jacobian :
       {JacobianUpdate::every_iteration, JacobianUpdate::every_step, JacobianUpdate::when_slow}) {
    CAPTURE(static_cast<int>(jacobian));
    Options o;
    o.index = Index::one;
    o.order = 1;
    o.engine.jacobian = jacobian;
    Run run(system, 1e-2, o);
    double largest_part = 0.0;
    long allocations = 0;
    for (int k = 0; k < 300; ++k) {
      State copy = run.state;
      Outcome outcome;
      const long count =
          catena::test::count_allocations([&] { outcome = run.stepper.step(run.state, 1e-2); });
      REQUIRE(outcome.status == Status::ok);
      if (k > 1) allocations += count;
      largest_part = std::max(largest_part, forbidden_part(system, run.state));
      if (largest_part < 0.01) continue;
      LieDae other(o);
      REQUIRE(other.attach(system).status == Status::ok);
      REQUIRE(other.step(copy, 1e-2).status == Status::ok);
      CHECK(copy.q == run.state.q);
      CHECK(copy.memory == run.state.memory);
    }
    CHECK(largest_part > 0.02);  // suspicious from 0.01 on
    if (catena::test::allocation_counting_works()) CHECK(allocations == 0);
  }
}

TEST_CASE("without a proximal term a copied state continues with the same bits in another stepper") {
  const MultibodySystem system(RodChain({.n = 3, .joint = ChainJoint::spherical}).model());
  for (const Index index : forms) {
    CAPTURE(name(index));
    Options o;
    o.index = index;
    o.engine.proximal = 0.0;
    Run run(system, 1e-2, o);
    run.steps(3);
    State copy = run.state;
    LieDae other(o);
    REQUIRE(other.attach(system).status == Status::ok);
    for (int k = 0; k < 3; ++k) {
      run.step();
      REQUIRE(other.step(copy, 1e-2).status == Status::ok);
    }
    CHECK(copy.q == run.state.q);
    CHECK(copy.lambda == run.state.lambda);
  }
}

}  // namespace lie_dae_drift_tests
