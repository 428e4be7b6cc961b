// The rolling disc: as a body with nonholonomic joints and in Euler angles with M(q) it has the same motion and the
// same multipliers; the steady circle is exact; energy is kept; q, v and lambda converge with order 2.
#include <catena/model/joints.hpp>
#include <catena/model/parts/error.hpp>
#include <catena/problems/rolling_disc.hpp>

#include "problems/motion_support.hpp"
#include "support/relative.hpp"
#include "support/system_check.hpp"

#include <random>

namespace rolling_disc_tests {

namespace rolling_disc_tests {

using namespace catena::detail;

using namespace catena_test;
using Index = AlphaOptions::Index;
using Form = RollingDiscParameters::Form;
using Motion = RollingDiscParameters::Motion;
using support::SystemProbe;
using Quantity = SystemProbe::Quantity;

namespace {

RollingDiscParameters with(Form form, Motion motion) {
  RollingDiscParameters p;
  p.form = form;
  p.motion = motion;
  return p;
}

// The multipliers along x and y, which both forms have last.
std::vector<double> rolling_multipliers(const State& s) { return {s.lambda.end() - 2, s.lambda.end()}; }

// Errors against the steady circle, largest over all steps. back: how long before a state its multipliers belong to, in
// steps.
MotionErrors steady_errors(Form form, Stepper& stepper, double back, double h, double end) {
  const RollingDiscParameters p = with(form, Motion::steady);
  const auto system = system_of(RollingDiscProblem(p));
  const RollingDiscDefinition definition{p.mass, p.radius, p.gravity};
  MotionErrors worst;
  run_and_see(*system, stepper, h, end, [&](const State& s) {
    const RollingDiscState exact = steady_state(p, s.t);
    const RigidBodyState body = definition.bodies(exact.q, exact.v).front();
    const std::vector<double> found = motion_of(*system, s);
    const Quat& e = body.orientation;
    const std::vector<double> q{body.position[0], body.position[1], body.position[2], e.w, e.x, e.y, e.z};
    std::vector<double> v(body.velocity.e, body.velocity.e + 3);
    v.insert(v.end(), body.angular_velocity.e, body.angular_velocity.e + 3);
    worst.q = std::max(worst.q, largest_difference(q, found));
    worst.v = std::max(worst.v, largest_difference(v, {found.begin() + 7, found.end()}));
    if (s.t == 0.0) return;
    const std::array<double, 2> lambda = steady_multipliers(p, s.t - back * h);
    worst.lambda = std::max(worst.lambda, largest_difference({lambda[0], lambda[1]}, rolling_multipliers(s)));
    if (form == Form::bodies)
      worst.lambda = std::max(worst.lambda, std::abs(s.lambda[0] + p.mass * p.gravity));
  });
  return worst;
}
MotionErrors steady_errors(Form form, Index index, double h, double end) {
  GeneralizedAlpha stepper(tight(index));
  return steady_errors(form, stepper, 0.0, h, end);
}
MotionErrors rattle_errors(Form form, double h, double end) {
  AlphaRattle stepper(tight_rattle());
  return steady_errors(form, stepper, 0.5, h, end);
}

}  // namespace

TEST_CASE("rolling disc in Euler angles: every derivative agrees with differences") {
  const auto system = system_of(RollingDiscProblem(with(Form::euler_angles, Motion::wobble)));
  std::mt19937 engine(2);
  const auto numbers = [&](int count) {
    std::vector<double> x(static_cast<std::size_t>(count));
    for (double& value : x) value = std::uniform_real_distribution<double>(-1.5, 1.5)(engine);
    return x;
  };
  SystemProbe p(*system, 0.0, numbers(5), numbers(5), numbers(5), numbers(2));
  constexpr double tolerance = 1e-10;  // support/system_check.hpp
  CHECK(support::distance(p.H(1, 0, 0), p.by(&SystemProbe::a, Quantity::balance)) < tolerance);
  CHECK(support::distance(p.H(0, 1, 0), p.by(&SystemProbe::v, Quantity::balance)) < tolerance);
  CHECK(support::distance(p.H(0, 0, 1), p.by_q(Quantity::balance)) < tolerance);
  CHECK(support::distance(p.C(0, 1), p.by_q(Quantity::velocity)) < tolerance);
}

TEST_CASE("rolling disc in Euler angles: M and f are those of the energy") {
  // Lagrange's equations without the rows: power of the inertia terms, v . (M v' - f), is the rate of the energy.
  const RollingDiscDefinition d{2.0, 0.3, 9.81};
  std::mt19937 engine(4);
  std::uniform_real_distribution<double> number(-2.0, 2.0);
  for (int trial = 0; trial < 10; ++trial) {
    Vec<double, 5> q, v, a;
    for (int k = 0; k < 5; ++k) {
      q[k] = number(engine);
      v[k] = number(engine);
      a[k] = number(engine);
    }
    const std::vector<double> rate = support::derivative([&](double s) {
      const Vec<double, 5> x = q + Vec<double, 5>(s * v) + Vec<double, 5>((0.5 * s * s) * a),
                           u = v + Vec<double, 5>(s * a);
      return std::vector<double>{0.5 * dot(u, Vec<double, 5>(d.mass(x) * u)) + d.potential(x)};
    });
    const double power = dot(v, Vec<double, 5>(d.mass(q) * a - d.force(q, v, 0.0)));
    CHECK(power == catena_test::relative(rate[0], 1e-9));
  }
}

TEST_CASE("rolling disc: both forms start alike, with the same energy") {
  for (const Motion motion : {Motion::wobble, Motion::steady}) {
    const RollingDiscProblem a(with(Form::bodies, motion)), b(with(Form::euler_angles, motion));
    const auto bodies = system_of(a), angles = system_of(b);
    const State sa = bodies->initial_state(), sb = angles->initial_state();
    CHECK(largest_difference(motion_of(*bodies, sa), motion_of(*angles, sb)) < 1e-14);
    const double energy = a.invariants().at(0).value;
    CHECK(bodies->energy(point_of(sa)).total() == catena_test::relative(energy, 1e-14));
    CHECK(angles->energy(point_of(sb)).total() == catena_test::relative(energy, 1e-14));
  }
}

TEST_CASE("rolling disc in a steady circle: q, v and lambda of order 2 in both forms and indices") {
  for (const Form form : {Form::bodies, Form::euler_angles})
    for (const Index index : {Index::three, Index::two}) {
      CAPTURE(static_cast<int>(form));
      CAPTURE(static_cast<int>(index));
      const MotionErrors order =
          orders(steady_errors(form, index, 1e-2, 1.0), steady_errors(form, index, 5e-3, 1.0));
      CHECK(order.q == catena_test::relative(2.0, 0.025));
      CHECK(order.v == catena_test::relative(2.0, 0.025));
      CHECK(order.lambda == catena_test::relative(2.0, 0.025));
    }
}

TEST_CASE(
    "rolling disc in a steady circle, alpha_rattle: q, v and lambda at the middle of its step of order 2") {
  // The body has rows of both kinds: two multipliers for the contact, one for each direction of rolling.
  for (const Form form : {Form::bodies, Form::euler_angles}) {
    CAPTURE(static_cast<int>(form));
    const MotionErrors order = orders(rattle_errors(form, 1e-2, 1.0), rattle_errors(form, 5e-3, 1.0));
    CHECK(order.q == catena_test::relative(2.0, 0.025));
    CHECK(order.v == catena_test::relative(2.0, 0.025));
    CHECK(order.lambda == catena_test::relative(2.0, 0.025));
  }
}

TEST_CASE("wobbling disc: body with joints and Euler angles with M(q) agree within their own errors") {
  // Richardson: a run with h/2 is off by (y_h - y_h/2) / 3 and by terms of the next order, allowed as a tenth.
  struct Run {
    std::vector<double> motion, lambda;
  };
  const auto run = [](Form form, double h) {
    const auto system = system_of(RollingDiscProblem(with(form, Motion::wobble)));
    GeneralizedAlpha stepper(tight(Index::three));
    const State s = run_and_see(*system, stepper, h, 1.0);
    return Run{motion_of(*system, s), rolling_multipliers(s)};
  };
  Run coarse[2], fine[2];
  for (const Form form : {Form::bodies, Form::euler_angles}) {
    coarse[static_cast<int>(form)] = run(form, 5e-3);
    fine[static_cast<int>(form)] = run(form, 2.5e-3);
  }
  const auto agree = [&](std::vector<double> Run::*what, double size) {
    double allowed = 0.0;
    std::vector<double> extrapolated[2];
    for (int f = 0; f < 2; ++f) {
      const std::vector<double>&a = coarse[f].*what, &b = fine[f].*what;
      allowed += largest_difference(a, b) / 3.0;
      for (std::size_t k = 0; k < a.size(); ++k) extrapolated[f].push_back((4.0 * b[k] - a[k]) / 3.0);
    }
    CHECK(largest_difference(fine[0].*what, fine[1].*what) <= 1.1 * allowed);
    CHECK(allowed <= 1e-3 * size);
    CHECK(largest_difference(extrapolated[0], extrapolated[1]) <= 0.1 * allowed);
  };
  agree(&Run::motion, 10.0);  // angular velocities are about 9 rad/s
  agree(&Run::lambda, 6.0);
}

TEST_CASE("wobbling disc: both forms converge to the reference digits") {
  for (const Form form : {Form::bodies, Form::euler_angles}) {
    const RollingDiscProblem problem(with(form, Motion::wobble));
    const auto system = system_of(problem);
    const std::vector<Reference> known = problem.references();
    const auto errors = [&](double h) {
      GeneralizedAlpha stepper(tight(Index::three));
      const State s = run_and_see(*system, stepper, h, 1.0);
      std::vector<double> q = s.q, v = s.v, exact = known[0].value;
      if (form == Form::bodies) {
        const std::vector<double> all = motion_of(*system, s);
        exact.insert(exact.end(), known[2].value.begin(), known[2].value.end());
        q.assign(all.begin(), all.begin() + 7);
        v.assign(all.begin() + 7, all.end());
      }
      return MotionErrors{largest_difference(q, exact), largest_difference(v, known[1].value)};
    };
    const MotionErrors coarse = errors(5e-3), fine = errors(2.5e-3);
    CHECK(std::log2(coarse.q / fine.q) == catena_test::relative(2.0, 0.025));
    CHECK(std::log2(coarse.v / fine.v) == catena_test::relative(2.0, 0.025));
  }
}

TEST_CASE(
    "wobbling disc: multipliers of order 2 from the first step on, holonomic and nonholonomic rows "
    "together") {
  constexpr double h = 5e-3, end = 0.5;
  for (const Form form : {Form::bodies, Form::euler_angles}) {
    const auto system = system_of(RollingDiscProblem(with(form, Motion::wobble)));
    std::vector<std::vector<double>> exact;  // 8 times finer: off by 1/64 of what is measured
    long count = 0;
    GeneralizedAlpha finest(tight(Index::two));
    run_and_see(*system, finest, h / 8, end, [&](const State& s) {
      if (count++ % 8 == 0) exact.push_back(s.lambda);
    });
    for (const Index index : {Index::three, Index::two}) {
      const auto error = [&](std::size_t every) {
        GeneralizedAlpha stepper(tight(index));
        std::size_t k = 0;
        double worst = 0.0;
        run_and_see(*system, stepper, h * static_cast<double>(every), end, [&](const State& s) {
          worst = std::max(worst, largest_difference(s.lambda, exact[k]));
          k += every;
        });
        return worst;
      };
      CHECK(std::log2(error(2) / error(1)) == catena_test::relative(2.0, 0.025));
    }
  }
}

TEST_CASE("wobbling disc: the energy error is of order 2, height and slip stay at roundoff") {
  for (const Form form : {Form::bodies, Form::euler_angles}) {
    const RollingDiscProblem problem(with(form, Motion::wobble));
    const auto system = system_of(problem);
    const double energy = problem.invariants().at(0).value;
    const auto run = [&](double h) {
      double worst = 0.0;
      GeneralizedAlpha stepper(tight(Index::three));
      run_and_see(*system, stepper, h, 2.0, [&](const State& s) {
        worst = std::max(worst, std::abs(system->energy(point_of(s)).total() - energy));
        std::vector<double> gap(s.lambda.size()), rate(s.lambda.size());
        Point at;
        at.q = s.q.data();
        at.v = s.v.data();
        Evaluation wanted;
        wanted.position = gap.data();
        wanted.velocity = rate.data();
        system->evaluate(at, wanted);
        CHECK(largest_value(gap) < 1e-15);
        CHECK(largest_value({rate.end() - 2, rate.end()}) < 1e-13);  // speeds up to 10
      });
      return worst;
    };
    CHECK(std::log2(run(1e-2) / run(5e-3)) == catena_test::relative(2.0, 0.1));
  }
}

TEST_CASE("rolling disc: a steady circle without precession is refused in a sentence") {
  RollingDiscParameters p = with(Form::bodies, Motion::steady);
  p.precession = 0.0;
  CHECK_THROWS_WITH_AS(RollingDiscProblem(p).model(), doctest::Contains("precession"), ModelError);
}

TEST_CASE("eleven discs in one model, in lanes, move as each does alone") {
  // Discs do not touch each other. Newton's iteration ends for all of them at once, within its tolerance of 1e-12 and
  // its amplification over 50 steps.
  constexpr int count = 11;
  const auto disc = [](int k) {
    RollingDiscParameters p;
    p.lean = 1.0 + 0.08 * k;
    p.radius = 0.2 + 0.02 * k;
    p.heading = 0.5 * k;
    return p;
  };
  Model all;
  all.gravity = RollingDiscProblem(disc(0)).model().gravity;
  for (int k = 0; k < count; ++k) {
    Body body = RollingDiscProblem(disc(k)).model().body(BodyId{0});
    body.name += " " + std::to_string(k);
    const BodyId id = all.add(body);
    const RollingDisc joint{.bodies = {id}, .radius = disc(k).radius};
    all.add(contact_of(joint));
    all.add(joint);
  }
  const MultibodySystem together(all);
  GeneralizedAlpha stepper(tight(Index::three));
  const std::vector<double> found = motion_of(together, run_and_see(together, stepper, 1e-2, 0.5));
  for (int k = 0; k < count; ++k) {
    const auto alone = system_of(RollingDiscProblem(disc(k)));
    GeneralizedAlpha own(tight(Index::three));
    const std::vector<double> expected = motion_of(*alone, run_and_see(*alone, own, 1e-2, 0.5));
    CHECK(largest_difference(expected, {found.begin() + 13 * k, found.begin() + 13 * (k + 1)}) < 1e-9);
  }
}

TEST_CASE("nonholonomic joints: parameters that make no sense are refused by name") {
  Model model;
  const BodyId body = model.add(Body{});
  CHECK_THROWS_WITH_AS(model.add(KnifeEdge{.bodies = {body}, .side = Vec3::Zero()}),
                       doctest::Contains("side"), ModelError);
  CHECK_THROWS_WITH_AS(model.add(RollingDisc{.bodies = {body}, .radius = 0.0}), doctest::Contains("radius"),
                       ModelError);
  CHECK_THROWS_WITH_AS(model.add(DiscContact{.bodies = {body}, .normal = Vec3::Zero()}),
                       doctest::Contains("normal"), ModelError);
}

}  // namespace rolling_disc_tests

}  // namespace rolling_disc_tests
