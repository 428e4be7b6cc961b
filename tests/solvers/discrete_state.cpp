// Implicit steppers evaluate forces with the discrete state of the State that they step.
#include <catena/solvers/alpha_rattle.hpp>
#include <catena/solvers/discrete_action.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/system/coordinate_system.hpp>

#include "support/pushed.hpp"
#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace discrete_state_tests {

namespace {

using namespace catena;
using namespace catena::detail;
using catena_test::Pushed;

template <class S, class Options>
State after(const Options& options, double push, bool fresh) {
  const CoordinateSystem<Pushed> system({}, {{0.0, -1.0}}, {{0.0, 0.0}});
  S stepper(options);
  REQUIRE(stepper.attach(system).status == Status::ok);
  State s = system.initial_state();
  s.discrete = {push};
  REQUIRE(stepper.start(s, 1e-2).status == Status::ok);
  S other(options);
  REQUIRE(other.attach(system).status == Status::ok);
  for (int k = 0; k < 20; ++k) REQUIRE((fresh ? other : stepper).step(s, 1e-2).status == Status::ok);
  return s;
}

// Pendulum under a constant force: E = v^2/2 - F x is kept.
template <class S, class Options>
void check_push(const Options& options) {
  const State pushed = after<S>(options, 3.0, false), again = after<S>(options, 3.0, true),
              left = after<S>(options, 0.0, false);
  CHECK(left.q[0] == 0.0);
  CHECK(pushed.q[0] > 0.05);
  const double speed = pushed.v[0] * pushed.v[0] + pushed.v[1] * pushed.v[1];
  CHECK(std::abs(0.5 * speed - 3.0 * pushed.q[0]) < 1e-5);  // order 2 at h = 1e-2
  CHECK(again.q == pushed.q);
}

}  // namespace

TEST_CASE("generalized_alpha, alpha_rattle and discrete_action pass State::discrete on") {
  for (const auto index : {GeneralizedAlphaOptions::Index::three, GeneralizedAlphaOptions::Index::two})
    for (const auto jacobian : {JacobianUpdate::every_step, JacobianUpdate::when_slow}) {
      GeneralizedAlphaOptions o;
      o.index = index;
      o.engine.jacobian = jacobian;
      check_push<GeneralizedAlpha>(o);
    }
  for (const auto index : {AlphaRattleOptions::Index::three, AlphaRattleOptions::Index::two}) {
    AlphaRattleOptions o;
    o.index = index;
    check_push<AlphaRattle>(o);
  }
  check_push<DiscreteAction>(DiscreteActionOptions{});
}

}  // namespace discrete_state_tests
