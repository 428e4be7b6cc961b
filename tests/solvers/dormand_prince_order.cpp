// The order of dormand_prince on groups, in coordinates and between the ends of its steps.
#include <catena/model/parts/inertia.hpp>
#include <catena/problems/detail/euler_ball_joint.hpp>
#include <catena/problems/heavy_top.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/problems/rolling_disc.hpp>
#include <catena/problems/rotary_pendulum.hpp>
#include <catena/problems/straight_box_chain.hpp>

#include "solvers/dormand_prince_support.hpp"

namespace dormand_prince_order_tests {

using namespace catena::detail;

using namespace catena_test::explicit_rk;

namespace {

// One of h^5 measured at finite h: the next term shifts it by less than this in all cases below.
constexpr double fifth = 4.6;

}  // namespace

TEST_CASE("dormand_prince is of order 5 in q, v and lambda on bodies with constraints") {
  const MultibodySystem top(HeavyTop().model());
  const Orders o = measured_orders(top, 2e-3, 50);
  CHECK(o.q >= fifth);
  CHECK(o.v >= fifth);
  CHECK(o.lambda >= fifth);

  const MultibodySystem chain(HelixChain({.n = 5}).model());
  const Orders c = measured_orders(chain, 1e-2, 20);
  CHECK(c.q >= fifth);
  CHECK(c.v >= fifth);
  CHECK(c.lambda >= fifth);
}

TEST_CASE("a free rigid body alone shows the order of the Munthe-Kaas form: the error is one of rotations") {
  Model model;
  model.add(Body{.mass = 1.0,
                 .inertia = diagonal(Vec3{{1.0, 2.0, 2.5}}),
                 .velocity = {{0.3, 0.0, 0.0}},
                 .angular_velocity = {{0.4, 2.0, -3.0}}});
  const MultibodySystem body(model);
  const Orders o = measured_orders(body, 0.1, 20);
  CHECK(o.q >= fifth);
  CHECK(o.v >= fifth);
}

TEST_CASE("dormand_prince is of order 5 in minimal coordinates and with velocity-level rows") {
  const auto pendulum = RotaryPendulum().own_system();
  const Orders o = measured_orders(*pendulum, 1e-2, 30);
  CHECK(o.q >= fifth);
  CHECK(o.v >= fifth);

  // A disc that rolls without slip: two rows at velocity level beside one of the position.
  const RollingDiscProblem disc;
  std::unique_ptr<System> rolling = disc.own_system();
  if (!rolling) rolling = std::make_unique<MultibodySystem>(disc.model());
  const Orders k = measured_orders(*rolling, 5e-3, 40);
  CHECK(k.q >= fifth);
  CHECK(k.v >= fifth);
  CHECK(k.lambda >= fifth);
}

TEST_CASE("systems that give the rate of their coordinates are integrated to order 5 as plain numbers") {
  EulerBallJointParameters p;
  p.form = BallJointForm::replaced;  // Euler angles, the angular velocity beside them
  const auto system = EulerBallJoint(p).own_system();
  REQUIRE(system->has_rate());
  const Orders o = measured_orders(*system, 1e-2, 20);  // up to 0.2 s, before the pole
  CHECK(o.q >= fifth);
  CHECK(o.v >= fifth);
}

TEST_CASE("straight box chain N = 10 after 1 s: tip within 1e-6 m at h = 2e-2 and 1e-11 m at h = 1e-3") {
  const MultibodySystem chain(StraightBoxChain({.n = 10}).model());
  const auto tip = [&](double h, int steps) {
    const RigidBodyState last = chain.bodies(end_state(chain, h, steps)).back();
    return last.position + rotation_matrix(last.orientation) * Vec3{{0.0, 0.0, 1.5}};
  };
  // Converged: at h = 5e-4 the truncation error is below 1e-15 m, and roundoff 1e-14.
  const Vec3 converged = tip(5e-4, 2000);
  CHECK(norm(tip(2e-2, 50) - converged) <= 1e-6);     // measured: 2.8e-9
  CHECK(norm(tip(1e-3, 1000) - converged) <= 1e-11);  // measured: 1.3e-14
}

TEST_CASE("dense output is of order 4 at least, on the group as well") {
  const MultibodySystem top(HeavyTop().model());
  // Largest error inside the last of n steps of 0.04 s / n, against small steps.
  const auto error = [&](int n) {
    const double h = 0.04 / n;
    DormandPrince stepper(fixed_step()), exact(fixed_step());
    State state = top.initial_state();
    stepper.attach(top), exact.attach(top);
    stepper.start(state, h);
    for (int k = 0; k < n - 1; ++k) stepper.step(state, h);
    State fine = state;
    stepper.step(state, h);
    std::vector<double> q(state.q.size()), v(state.v.size()), d(state.v.size());
    double worst_q = 0.0, worst_v = 0.0;
    constexpr int parts = 40;
    for (int k = 1; k <= parts; ++k) {
      exact.step(fine, h / parts);
      stepper.interpolate(static_cast<double>(k) / parts, q.data(), v.data());
      top.difference(fine.q.data(), q.data(), d.data());
      worst_q = std::max(worst_q, largest_difference(d, std::vector<double>(d.size())));
      worst_v = std::max(worst_v, largest_difference(v, fine.v));
    }
    return std::pair{worst_q, worst_v};
  };
  const auto coarse = error(10), fine = error(20);
  // Inside one step the error of an interpolant of order 4 falls with h^5.
  CHECK(std::log2(coarse.first / fine.first) >= 4.5);
  CHECK(std::log2(coarse.second / fine.second) >= 4.5);
}

TEST_CASE("the error follows the tolerance") {
  const auto pendulum = RotaryPendulum().own_system();
  const auto error = [&](double tol) {
    DormandPrince stepper(tolerance(tol));
    State state = pendulum->initial_state();
    const RunResult result = run(*pendulum, stepper, state, {.step = 0.5, .end = 0.5});
    CHECK(result.status == Status::ok);
    // The table of methods.md E.
    return std::max(std::abs(state.q[0] - 0.963516718647), std::abs(state.q[1] - 4.712380747236));
  };
  double before = 1.0;
  for (const double tol : {1e-6, 1e-8, 1e-10, 1e-12}) {
    CAPTURE(tol);
    const double e = error(tol);
    CHECK(e <= 100.0 * tol);  // the motion magnifies errors by 30 until then
    CHECK(e <= 0.1 * before);
    before = e;
  }
}

}  // namespace dormand_prince_order_tests
