// alpha_rattle: order 2 of q, v and lambda (at its own instant) and of State::a, on bodies and in own coordinates, with
// holonomic and nonholonomic rows, alone and together.
#include <catena/problems/heavy_top.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/problems/rolling_disc.hpp>
#include <catena/problems/snakeboard.hpp>

#include "solvers/alpha_rattle_support.hpp"
#include "support/few_cases.hpp"
#include "support/relative.hpp"

namespace alpha_rattle_order_tests {

using namespace catena::detail;

namespace {

using namespace catena_test::rattle;
using Index = Options::Index;

struct Orders {
  double q, v, a, lambda, lambda_late;
};

// From distances at the end for q and v; for lambda and a from the largest error of all steps (of those from the
// tenth part on) against the index-1 system at the states of a run with h/32, at t_n + h/2 and t_{n+1}.
Orders measured(const System& system, double end, double h, Options o) {
  o.newton_tolerance = 1e-12;
  constexpr int fine = 32;
  const int steps = static_cast<int>(std::lround(end / h));
  std::vector<Vector> lambda, a;  // at multiples of h/4
  {
    Run run(system, h / fine, o);
    Vector x, y;
    for (int k = 0; k <= 4 * steps; ++k) {
      if (k > 0) run.steps(fine / 4);
      index_1(system, run.state, x, y);
      a.push_back(x);
      lambda.push_back(y);
    }
  }
  std::array<Vector, 3> q, v;
  std::array<double, 2> of_a{}, of_lambda{}, late{};
  for (std::size_t level = 0; level < 3; ++level) {
    const auto parts = static_cast<std::size_t>(1 << level);
    Run run(system, h / static_cast<double>(parts), o);
    for (std::size_t k = 0; k < static_cast<std::size_t>(steps) * parts; ++k) {
      run.step();
      if (level == 2) continue;
      const std::size_t node = 4 * (k + 1) / parts, middle = (4 * k + 2) / parts;
      const double e = distance(run.state.lambda, lambda[middle]);
      of_lambda[level] = std::max(of_lambda[level], e);
      if (10 * k >= static_cast<std::size_t>(steps) * parts) late[level] = std::max(late[level], e);
      of_a[level] = std::max(of_a[level], distance(run.state.a, a[node]));
    }
    q[level] = coordinates(system, run.state);
    v[level] = run.state.v;
  }
  return {std::log2(distance(q[0], q[1]) / distance(q[1], q[2])),
          std::log2(distance(v[0], v[1]) / distance(v[1], v[2])), std::log2(of_a[0] / of_a[1]),
          std::log2(of_lambda[0] / of_lambda[1]), std::log2(late[0] / late[1])};
}

void check_orders(const System& system, double end, double h, const Options& o) {
  const Orders r = measured(system, end, h, o);
  CAPTURE(static_cast<int>(o.index));
  CAPTURE(o.rho_inf);
  INFO("q ", r.q, " v ", r.v, " a ", r.a, " lambda ", r.lambda, " late ", r.lambda_late);
  CHECK(r.q == catena_test::relative(2.0, 0.025));
  CHECK(r.v == catena_test::relative(2.0, 0.025));
  CHECK(r.lambda == catena_test::relative(2.0, 0.025));
  CHECK(r.a == catena_test::relative(2.0, 0.025));
}

Options options(Index index, MassJacobian mass = MassJacobian::exact) {
  Options o;
  o.index = index;
  o.mass_jacobian = mass;
  return o;
}

}  // namespace

TEST_CASE("heavy top") {
  const MultibodySystem system(HeavyTop().model());
  for (const Index index : {Index::three, Index::two}) check_orders(system, 0.1, 5e-4, options(index));
}

TEST_CASE("helix chain of ten, balls and hinges") {
  for (const ChainJoint joint : {ChainJoint::spherical, ChainJoint::revolute}) {
    HelixChainParameters p;
    p.n = catena_test::few_cases ? 4 : 10;
    p.joint = joint;
    const MultibodySystem system(HelixChain(p).model());
    for (const Index index : {Index::three, Index::two}) check_orders(system, 0.3, 2.5e-3, options(index));
  }
}

TEST_CASE("snakeboard: velocity rows") {
  const auto system = Snakeboard().own_system();
  check_orders(*system, 0.5, 5e-3, options(Index::two));
}

TEST_CASE("rolling disc: a body with a holonomic row and velocity rows, and Euler angles with M(q)") {
  const MultibodySystem body(RollingDiscProblem().model());
  for (const Index index : {Index::three, Index::two}) check_orders(body, 0.4, 4e-3, options(index));
  const auto angles = RollingDiscProblem({.form = RollingDiscParameters::Form::euler_angles}).own_system();
  for (const MassJacobian mass : {MassJacobian::exact, MassJacobian::extrapolated})
    check_orders(*angles, 0.4, 4e-3, options(Index::two, mass));
}

}  // namespace alpha_rattle_order_tests
