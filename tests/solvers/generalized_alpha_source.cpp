// generalized_alpha as its source for nonholonomic systems has it: start, scaling, condition, M(q_n + h v_n), on the
// snakeboard (index 2; figures computed independently).
#include <catena/driver/run.hpp>
#include <catena/kkt/detail/condition.hpp>
#include <catena/problems/four_bar.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/problems/rolling_disc.hpp>
#include <catena/problems/snakeboard.hpp>

#include "solvers/generalized_alpha_support.hpp"
#include "solvers/snakeboard_source.hpp"
#include "support/relative.hpp"

#include <numbers>

namespace generalized_alpha_source_tests {

using namespace catena::detail;

namespace {

using namespace catena_test::alpha;
namespace source = catena_test::snakeboard_source;

Options source_form(RowScaling scaling = RowScaling::over_h) {
  Options o;
  o.rho_inf = 3.0 / 7.0;
  o.index = Index::two;
  o.newton = Newton::exact;
  o.engine.jacobian = JacobianUpdate::every_iteration;
  o.engine.newton_tolerance = 1e-12;
  o.start = Options::Start::source;
  o.scaling = scaling;
  return o;
}

}  // namespace

TEST_CASE("snakeboard: the errors of the source's form at h = 1e-2, T = 0.5, and constraints at roundoff") {
  const auto errors = source::errors<Run>(source_form());
  CHECK(errors.q == catena_test::relative(3.685e-3, 2e-4));
  CHECK(errors.v == catena_test::relative(3.562e-2, 2e-4));
  CHECK(errors.rows < 2e-15);
}

TEST_CASE(
    "snakeboard: condition of the Newton matrix, unscaled 7.1e3, 6.2e5, 6.2e7, scaled 4.7e3 throughout") {
  const auto condition = [](RowScaling scaling, double h) {
    return source::condition<Run>(source_form(scaling), h);
  };
  // Two digits are printed.
  CHECK(condition(RowScaling::none, 1e-2) == catena_test::relative(7.1e3, 0.01));
  CHECK(condition(RowScaling::none, 1e-4) == catena_test::relative(6.2e5, 0.01));
  CHECK(condition(RowScaling::none, 1e-6) == catena_test::relative(6.2e7, 0.01));
  for (const double h : {1e-2, 1e-4, 1e-6})
    CHECK(condition(RowScaling::over_h, h) == catena_test::relative(4.7e3, 0.011));
}

TEST_CASE("the scaling of rows and the start change nothing but the roundoff and the error constant") {
  const auto system = Snakeboard().own_system();
  Run natural(*system, 1e-3, source_form(RowScaling::natural));
  natural.until(0.2);
  for (const RowScaling scaling : {RowScaling::none, RowScaling::over_h, RowScaling::over_h2}) {
    Run run(*system, 1e-3, source_form(scaling));
    run.until(0.2);
    CHECK(distance(run.state.q, natural.state.q) < 1e-11);  // 200 steps of a tolerance of 1e-12 and less
    CHECK(distance(run.state.v, natural.state.v) < 1e-10);
  }
}

TEST_CASE(
    "rolling disc in Euler angles: order 2 of q, v and lambda with M(q_{n+1}) and with M(q_n + h v_n)") {
  const auto system = RollingDiscProblem({.form = RollingDiscParameters::Form::euler_angles}).own_system();
  REQUIRE(system != nullptr);
  for (const Index index : {Index::two, Index::three})
    for (const MassJacobian mass : {MassJacobian::exact, MassJacobian::extrapolated}) {
      Options o;
      o.index = index;
      o.mass_jacobian = mass;
      o.engine.newton_tolerance = 1e-13;
      std::array<State, 3> end;
      for (std::size_t k = 0; k < 3; ++k) {
        Run run(*system, 4e-3 / std::pow(2.0, static_cast<double>(k)), o);
        run.until(0.4);
        end[k] = run.state;
      }
      for (Vector State::*what : {&State::q, &State::v, &State::lambda})
        CHECK(std::log2(distance(end[0].*what, end[1].*what) / distance(end[1].*what, end[2].*what)) ==
              catena_test::relative(2.0, 0.025));
    }
}

TEST_CASE("rows scaled by 1/h, 1/h^2 or not at all: the same chain at index 3, and the same redundant loop") {
  HelixChainParameters p;
  p.n = 5;
  const MultibodySystem chain(HelixChain(p).model()), loop(FourBar().model());
  for (const MultibodySystem* system : {&chain, &loop}) {
    const auto end = [&](RowScaling scaling) {
      Options o;
      o.scaling = scaling;
      o.engine.newton_tolerance = 1e-12;
      Run run(*system, 1e-3, o);
      run.steps(50);
      return run.state;
    };
    const State natural = end(RowScaling::natural);
    for (const RowScaling scaling : {RowScaling::none, RowScaling::over_h, RowScaling::over_h2}) {
      const State other = end(scaling);
      CHECK(distance(other.q, natural.q) < 1e-9);
      CHECK(distance(other.lambda, natural.lambda) < 1e-5 * largest(natural.lambda));
    }
  }
}

}  // namespace generalized_alpha_source_tests
