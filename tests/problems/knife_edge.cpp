// The skate and the Chaplygin sleigh: the exact motion satisfies the equations, and generalized_alpha converges to it
// with order 2 in q, v and lambda.
#include <catena/problems/knife_edge.hpp>

#include "problems/motion_support.hpp"
#include "support/relative.hpp"
#include "support/system_check.hpp"

using namespace catena::detail;

using namespace catena_test;
using Index = AlphaOptions::Index;

namespace {

constexpr KnifeEdgeParameters skate{};
const KnifeEdgeParameters sleigh{.incline = 0.0, .mass = 2.0, .offset = 0.25, .spin = 3.0, .speed = -0.7};

// Errors of a run against the exact motion, largest over all steps. The position of the sleigh is not known exactly.
// back: how long before a state its multipliers belong to, in steps.
MotionErrors errors(const KnifeEdgeParameters& p, Stepper& stepper, double back, double h, double end) {
  const auto system = system_of(KnifeEdgeProblem(p));
  MotionErrors worst;
  run_and_see(*system, stepper, h, end, [&](const State& s) {
    const SkateMotion exact = exact_motion(p, s.t);
    const RigidBodyState b = system->bodies(s).front();
    const auto grow = [](double& w, double x) { w = std::max(w, std::abs(x)); };
    for (int k = 0; k < 2; ++k) {
      if (p.offset == 0.0) grow(worst.q, b.position[k] - exact.position[k]);
      grow(worst.v, b.velocity[k] - exact.velocity[k]);
    }
    grow(worst.q, b.orientation.w - std::cos(0.5 * exact.heading));
    grow(worst.q, b.orientation.z - std::sin(0.5 * exact.heading));
    grow(worst.v, b.angular_velocity[2] - exact.spin);
    if (s.t > 0.0) grow(worst.lambda, s.lambda[0] - exact_motion(p, s.t - back * h).lambda);
  });
  return worst;
}
MotionErrors errors(const KnifeEdgeParameters& p, Index index, double h, double end) {
  GeneralizedAlpha stepper(tight(index));
  return errors(p, stepper, 0.0, h, end);
}
MotionErrors rattle_errors(const KnifeEdgeParameters& p, double h, double end) {
  AlphaRattle stepper(tight_rattle());
  return errors(p, stepper, 0.5, h, end);
}

}  // namespace

TEST_CASE("skate and sleigh: the exact motion satisfies the equations of motion") {
  // Differences of order 4, h = 1e-3, of functions of size 10 (support/system_check.hpp).
  KnifeEdgeParameters straight = skate;
  straight.spin = 0.0;
  for (const KnifeEdgeParameters& p : {skate, sleigh, straight}) {
    const auto system = system_of(KnifeEdgeProblem(p));
    for (const double t : {0.0, 0.7, 2.0}) {
      const SkateMotion m = exact_motion(p, t);
      const std::vector<double> rate = support::derivative([&](double s) {
        const SkateMotion x = exact_motion(p, t + s);
        return std::vector<double>{x.position[0], x.position[1], x.heading,
                                   x.velocity[0], x.velocity[1], x.spin};
      });
      if (p.offset == 0.0) {
        CHECK(rate[0] == catena_test::relative(m.velocity[0], 1e-10));
        CHECK(rate[1] == catena_test::relative(m.velocity[1], 1e-10));
      }
      CHECK(rate[2] == catena_test::component(m.spin, 1e-10));
      State s = system->initial_state();
      const double half = 0.5 * m.heading;
      const double q[] = {0.0, 0.0, 0.0, std::cos(half), 0.0, 0.0, std::sin(half)};
      std::copy(q, q + 7, s.q.begin());
      const double v[] = {m.velocity[0], m.velocity[1], 0.0, 0.0, 0.0, m.spin};
      const double a[] = {rate[3], rate[4], 0.0, 0.0, 0.0, rate[5]};
      std::vector<double> balance(6), row(1);
      Point at;
      at.q = s.q.data();
      at.v = v;
      at.a = a;
      at.lambda = &m.lambda;
      Evaluation wanted;
      wanted.balance = balance.data();
      wanted.velocity = row.data();
      system->evaluate(at, wanted);
      CHECK(largest_value(balance) < 1e-9);
      CHECK(std::abs(row[0]) < 1e-14);
    }
    // The exact motion begins in the initial state.
    const RigidBodyState b = system->bodies(system->initial_state()).front();
    CHECK(norm(Vec3(b.velocity - exact_motion(p, 0.0).velocity)) < 1e-15);
  }
}

TEST_CASE("skate, generalized_alpha: q, v and lambda of order 2 against the exact motion") {
  for (const Index index : {Index::three, Index::two}) {
    const MotionErrors order = orders(errors(skate, index, 2e-2, 2.0), errors(skate, index, 1e-2, 2.0));
    CHECK(order.q == catena_test::relative(2.0, 0.025));
    CHECK(order.v == catena_test::relative(2.0, 0.025));
    CHECK(order.lambda == catena_test::relative(2.0, 0.025));
  }
}

TEST_CASE("Chaplygin sleigh, generalized_alpha: q, v and lambda of order 2 against the exact motion") {
  for (const Index index : {Index::three, Index::two}) {
    const MotionErrors order = orders(errors(sleigh, index, 2e-2, 2.0), errors(sleigh, index, 1e-2, 2.0));
    CHECK(order.q == catena_test::relative(2.0, 0.025));
    CHECK(order.v == catena_test::relative(2.0, 0.025));
    CHECK(order.lambda == catena_test::relative(2.0, 0.025));
  }
}

TEST_CASE("skate and sleigh, alpha_rattle: q, v and lambda at the middle of its step of order 2") {
  for (const KnifeEdgeParameters& p : {skate, sleigh}) {
    const MotionErrors order = orders(rattle_errors(p, 2e-2, 2.0), rattle_errors(p, 1e-2, 2.0));
    CHECK(order.q == catena_test::relative(2.0, 0.025));
    CHECK(order.v == catena_test::relative(2.0, 0.025));
    CHECK(order.lambda == catena_test::relative(2.0, 0.025));
  }
}

TEST_CASE(
    "skate, generalized_alpha: the energy error is of order 2, the row at roundoff, the body in its plane") {
  const KnifeEdgeProblem problem;
  const auto system = system_of(problem);
  const double energy = problem.invariants().at(0).value;
  const auto run = [&](double h) {
    double worst = 0.0;
    GeneralizedAlpha stepper(tight(Index::two, 1.0));
    const State end = run_and_see(*system, stepper, h, 5.0, [&](const State& s) {
      worst = std::max(worst, std::abs(system->energy(point_of(s)).total() - energy));
      double row = 0.0;
      Point at;
      at.q = s.q.data();
      at.v = s.v.data();
      Evaluation wanted;
      wanted.velocity = &row;
      system->evaluate(at, wanted);
      CHECK(std::abs(row) < 1e-14);  // products of speeds below 6 m/s
    });
    CHECK(std::abs(system->bodies(end)[0].position[2]) < 1e-14);
    return worst;
  };
  CHECK(std::log2(run(2e-2) / run(1e-2)) == catena_test::relative(2.0, 0.025));
}

TEST_CASE("skate: it does not run downhill, gravity drives it across the slope") {
  // Over whole turns x comes back and y advances by g sin(incline) / (2 spin^2) for every radian.
  KnifeEdgeParameters p;
  p.heading = p.speed = 0.0;
  const double period = 2.0 * std::acos(-1.0) / p.spin;
  const SkateMotion m = exact_motion(p, 3.0 * period);
  CHECK(std::abs(m.position[0]) < 1e-13);
  CHECK(m.position[1] ==
        catena_test::relative(
            0.5 * p.gravity * std::sin(p.incline) / (p.spin * p.spin) * 3.0 * period * p.spin, 1e-5));
}
