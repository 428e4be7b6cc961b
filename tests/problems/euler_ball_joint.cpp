// The figures of the ball joint at its pole (docs/theory/euler_angles.md). Runge-Kutta of order 4, h = 1e-3, 0.6 s,
// the pole at 0.3 s, which is the end of a step.
#include <catena/driver/run.hpp>
#include <catena/problems/detail/euler_ball_joint.hpp>
#include <catena/problems/detail/joint_tree_motion.hpp>
#include <catena/problems/euler_angles.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/sparse/backends/backends.hpp>
#include <catena/studies/detail/attitude_run.hpp>
#include <catena/studies/detail/euler_angles_runs.hpp>

#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <utility>

namespace {

using namespace catena;
using namespace catena::detail;
using euler_angles_study::source_rule;

// A passage and its reference, made once.
struct Passage {
  JointTree tree;
  AttitudeReference reference;
};

const Passage& passage_of(double nearest, double instant) {
  static std::map<std::pair<double, double>, Passage> known;
  const auto [place, made] = known.try_emplace({nearest, instant});
  if (!made) return place->second;
  EulerBallJointParameters p;
  p.nearest = nearest;
  p.passage = instant;
  Passage& passage = place->second;
  passage.tree = EulerBallJoint(p).tree();
  passage.reference = attitude_reference(model_of(passage.tree), 1e-3, 0.6);
  REQUIRE(passage.reference.attitudes.size() == 600);
  return passage;
}

AttitudeRun pass(BallJointForm form, double nearest, const PoleRule& rule, double instant = 0.3) {
  const Passage& passage = passage_of(nearest, instant);
  JointTree tree = passage.tree;
  tree.links[0].form = static_cast<AngleForm>(form);
  return attitude_run(JointTreeSystem(tree, rule), passage.reference);
}

}  // namespace

TEST_CASE("ball joint: the mixed form passes the pole with the errors of methods.md") {
  // Two or three digits are given: 2 % of them.
  const PoleRule rule = source_rule();
  CHECK(pass(BallJointForm::mixed, 0.0, rule).error == catena_test::relative(2.9e-8, 0.02));
  CHECK(pass(BallJointForm::mixed, 1e-5, rule).error == catena_test::relative(1.64e-5, 0.005));
  CHECK(pass(BallJointForm::mixed, 1e-4, rule).error == catena_test::relative(1.66e-4, 0.005));
  CHECK(pass(BallJointForm::mixed, 1e-3, rule).error == catena_test::relative(2.66e-5, 0.005));
  for (const double nearest : {0.0, 1e-5, 1e-4, 1e-3}) {
    const AttitudeRun run = pass(BallJointForm::mixed, nearest, rule);
    CHECK(run.error <= 3.0 * rule.epsilon);
    CHECK(run.energy_error < 1e-13);  // omega never sees the angles: 600 steps of roundoff
  }
}

TEST_CASE("ball joint: plain Euler angles break down, constraint replacement helps close to the pole only") {
  const PoleRule rule = source_rule();
  for (const double nearest : {1e-5, 1e-4}) CHECK_FALSE(pass(BallJointForm::plain, nearest, rule).useful());
  const AttitudeRun plain = pass(BallJointForm::plain, 1e-3, rule);
  CHECK(plain.error == catena_test::relative(0.102, 0.005));
  CHECK_FALSE(plain.useful());
  CHECK(pass(BallJointForm::replaced, 0.0, rule).error <= 1e-3);
  CHECK(pass(BallJointForm::replaced, 1e-5, rule).error <= 0.1);
  CHECK_FALSE(pass(BallJointForm::replaced, 1e-4, rule).useful());
  // never within 1e-4 of the pole: not one stage is exchanged
  CHECK(pass(BallJointForm::replaced, 1e-3, rule).error == plain.error);
  const AttitudeRun mixed = pass(BallJointForm::mixed, 1e-5, rule),
                    replaced = pass(BallJointForm::replaced, 1e-5, rule);
  CHECK(mixed.error < 1e-2 * replaced.error);
  const AttitudeRun gone = pass(BallJointForm::plain, 1e-5, rule);
  CHECK((gone.status != Status::ok || replaced.error < 0.1 * gone.error));
  CHECK(pass(BallJointForm::mixed, 0.0, rule).error < 1e-2 * pass(BallJointForm::replaced, 0.0, rule).error);
}

TEST_CASE("ball joint: past the pole constraint replacement loses 2 omega delta/epsilon, whatever the band") {
  // Where the band is entered and left the dropped part of omega = 1.5 rad/s is delta/epsilon of it; the band itself
  // takes a time of 2 epsilon/omega, which leaves terms of the size of epsilon.
  for (const double epsilon : {1e-3, 3e-4})
    for (const double part : {0.05, 0.1, 0.2}) {
      CAPTURE(epsilon);
      CAPTURE(part);
      const double lost = euler_angles_study::lost_velocity(part * epsilon, epsilon);
      CHECK(std::abs(lost - 2.0 * 1.5 * part) < 3.0 * epsilon);
    }
}

TEST_CASE("ball joint: straight through the pole the plain form lives by the luck of the elimination") {
  // theta3 = 1e-14 at the stage on the pole, A is singular to roundoff, and the motion is regular there (theta1',
  // theta2' stay finite). Refused by default; without that the outcome is whatever the pivots leave: 2.7e-8 rad by
  // the library's own LDL^T, nothing by those that pivot.
  const Passage& passage = passage_of(0.0, 0.3);
  JointTree tree = passage.tree;
  tree.links[0].form = AngleForm::plain;
  for (const char* backend : {"klu", "eigen_lu"})
    CHECK_FALSE(attitude_run(JointTreeSystem(tree, source_rule()), passage.reference, [&] {
                  return make_backend(backend);
                }).useful());
  // a quarter of a step beside the pole no stage comes near it
  CHECK(pass(BallJointForm::plain, 0.0, PoleRule{}, 0.30025).error < 1e-10);
}

TEST_CASE("ball joint: the plain form ends with a status and the joint's name, not with numbers") {
  for (const double nearest : {0.0, 1e-5, 1e-4}) {
    const AttitudeRun run = pass(BallJointForm::plain, nearest, PoleRule{});
    CHECK(run.status == Status::singular_kkt);
    CHECK(run.culprit == "ball joint \"pivot\" (Euler angles)");
    CHECK(run.error < 1e-5);  // what was computed until then is right
  }
}

TEST_CASE("ball joint: implicit steppers end at the plain pole as well, however small their steps") {
  EulerBallJointParameters p;
  p.form = BallJointForm::plain;
  for (const double nearest : {0.0, 1e-5}) {
    p.nearest = nearest;
    const auto system = EulerBallJoint(p).own_system();
    GeneralizedAlpha stepper;
    State s = system->initial_state();
    const RunResult result = run(*system, stepper, s, {.step = 1e-3, .end = 0.6});
    CHECK(result.status == Status::step_too_small);
    CHECK(result.cause == Status::singular_kkt);
    CHECK(result.culprit.name == "ball joint \"pivot\" (Euler angles)");
    // refused where the condition is 1e7: sin theta3 = sqrt(0.55 / 1e7), 0.16 ms before 0.3 s
    CHECK(s.t == catena_test::relative(0.29985, 1e-4));
  }
}

TEST_CASE("ball joint: the condition of A grows with 1 / sin^2 as in methods.md, and the rule sees it") {
  EulerBallJointParameters p;
  p.form = BallJointForm::plain;
  p.pole.refuse_plain = false;
  const auto system = EulerBallJoint(p).own_system();
  const auto& tree = dynamic_cast<const JointTreeSystem&>(*system);
  const double table[] = {193.0, 1.95e4, 1.95e6, 1.95e8};
  double before = 0.0;
  for (int k = 0; k < 4; ++k) {
    const double q[] = {0.6, 0.3, std::asin(std::pow(10.0, -1 - k))};
    Point at;
    at.q = q;
    Mat3 A;
    tree.mass_matrix(at, A.e);
    // the largest and, through the inverse, the smallest eigenvalue
    const auto largest = [](const Mat3& m) {
      Vec3 x = {{0.3, 0.5, 0.7}};
      for (int i = 0; i < 200; ++i) {
        x = m * x;
        x = (1.0 / norm(x)) * x;
      }
      return norm(Vec3(m * x));
    };
    const Vec3 r[] = {
        {{A(0, 0), A(0, 1), A(0, 2)}}, {{A(1, 0), A(1, 1), A(1, 2)}}, {{A(2, 0), A(2, 1), A(2, 2)}}};
    const double determinant = dot(r[0], cross(r[1], r[2]));
    Mat3 inverse;
    for (int i = 0; i < 3; ++i) {
      const Vec3 c = cross(r[(i + 1) % 3], r[(i + 2) % 3]);
      for (int j = 0; j < 3; ++j) inverse(j, i) = c[j] / determinant;
    }
    CHECK(largest(A) * largest(inverse) == catena_test::relative(table[k], 0.005));
    const double estimate = tree.condition_estimate(at, 0);
    if (k > 0) CHECK(estimate / before == catena_test::relative(100.0, 0.02));
    before = estimate;
    CHECK(tree.near_pole(at, 0) == (estimate >= 100.0 * PoleRule{}.limit_mass));
  }
}

TEST_CASE("ball joint: by condition and with memory both remedies keep 3 epsilon at any distance and phase") {
  // epsilon: |sin theta3| at the limit of the condition, which is c / sin^2 theta3 with c = 4 for E^T E and c < 0.55
  // for the mass matrix of this body over that for angular velocities, near the pole. Measured at most 4.1e-4 (mixed)
  // and 5.1e-3 (replaced).
  const PoleRule rule;
  for (const double nearest : {0.0, 1e-5, 1e-4, 1e-3})
    for (const double phase : {0.0, 2.5e-4, 6.1e-4}) {
      CAPTURE(nearest);
      CAPTURE(phase);
      const AttitudeRun mixed = pass(BallJointForm::mixed, nearest, rule, 0.3 + phase);
      CHECK(mixed.error <= 3.0 * std::sqrt(4.0 / rule.limit_rates));
      const AttitudeRun replaced = pass(BallJointForm::replaced, nearest, rule, 0.3 + phase);
      CHECK(replaced.status == Status::ok);
      CHECK(replaced.error <= 3.0 * std::sqrt(0.55 / rule.limit_mass));
      CHECK(mixed.error < replaced.error);
    }
}

TEST_CASE(
    "ball joint: the replaced form keeps 3 epsilon in its corrected form, the source's switch misses it") {
  // The same band |sin theta3| <= 1e-2, which steps of 1e-3 s resolve; they add 1e-8.
  PoleRule corrected, source = source_rule();
  corrected.test = PoleRule::Test::sine;
  corrected.epsilon = source.epsilon = 1e-2;
  const double bound = 3.0 * corrected.epsilon + 1e-8;
  double worst = 0.0;
  for (const double nearest : {0.0, 1e-5, 1e-4, 1e-3})
    for (const double phase : {0.0, 2.5e-4, 6.1e-4}) {
      CAPTURE(nearest);
      CAPTURE(phase);
      const AttitudeRun run = pass(BallJointForm::replaced, nearest, corrected, 0.3 + phase);
      CHECK(run.status == Status::ok);
      CHECK(run.error <= bound);
      worst = std::max(worst, pass(BallJointForm::replaced, nearest, source, 0.3 + phase).error);
    }
  // At delta/epsilon = 0.1, as 2 omega delta/epsilon for 0.3 s makes it.
  CHECK(worst / bound == catena_test::relative(3.26, 0.02));
  CHECK(worst == catena_test::relative(2.0 * 1.5 * 0.1 * 0.3, 0.1));
}

TEST_CASE(
    "ball joint: hysteresis keeps a motion that lingers at the edge of the band from switching to and fro") {
  // theta3 runs to and fro over the edge: nearest to the pole at the limit itself, by a sideways passage whose
  // theta3 has a flat minimum there. A state moved by hand shows the rule alone.
  EulerBallJointParameters p;
  p.form = BallJointForm::mixed;
  const auto switches = [&](double release) {
    p.pole.release = release;
    const auto system = EulerBallJoint(p).own_system();
    const auto& tree = dynamic_cast<const JointTreeSystem&>(*system);
    State s = system->initial_state();
    const double edge = std::sqrt(4.0 / p.pole.limit_rates);
    int count = 0;
    for (int k = 0; k < 40; ++k) {
      s.q[2] = std::asin(edge * (1.0 + 0.1 * std::sin(0.9 * k)));
      Point at;
      at.q = s.q.data();
      at.discrete = s.discrete.data();
      const bool before = tree.near_pole(at, 0);
      s.q[2] = std::asin(edge * (1.0 + 0.1 * std::sin(0.9 * (k + 1))));
      system->update_discrete(s);
      at.discrete = s.discrete.data();
      count += before != tree.near_pole(at, 0) ? 1 : 0;
    }
    return count;
  };
  CHECK(switches(1.0) > 8);
  CHECK(switches(0.5) <= 1);
}

TEST_CASE("ball joint: as printed the source's formulas fail where the corrected ones hold") {
  const PoleRule rule = source_rule();
  for (const double nearest : {0.0, 1e-5, 1e-4, 1e-3}) {
    CAPTURE(nearest);
    // (17): wrong from the first step on
    CHECK(pass(BallJointForm::printed_rates, nearest, rule).error > 0.5);
  }
  // (10)-(12): worse than the corrected replacement, or no result at all
  CHECK_FALSE(pass(BallJointForm::printed_replaced, 1e-4, rule).useful());
  CHECK(pass(BallJointForm::printed_replaced, 1e-5, rule).error >
        1.5 * pass(BallJointForm::replaced, 1e-5, rule).error);
}

TEST_CASE("ball joint: on the group the mixed form knows no pole") {
  // generalized_alpha moves q by retract(): order 2 through the pole, error halved steps quarter. The same errors
  // at any distance from the pole show that it is not felt.
  const auto error = [](double nearest, double h) {
    EulerBallJointParameters p;
    p.nearest = nearest;
    const EulerBallJoint problem(p);
    const auto system = problem.own_system();
    JointTree reference = problem.tree();
    advance_start(reference, 0.6, 1200);
    GeneralizedAlpha stepper;
    State s = system->initial_state();
    REQUIRE(stepper.attach(*system).status == Status::ok);
    REQUIRE(stepper.start(s, h).status == Status::ok);
    for (long k = 0; k < std::lround(0.6 / h); ++k) REQUIRE(stepper.step(s, h).status == Status::ok);
    return angle_between(system->bodies(s)[0].orientation, reference.links[0].start.rotation);
  };
  for (const double nearest : {0.0, 1e-5, 1e-3}) {
    const double coarse = error(nearest, 4e-3), fine = error(nearest, 2e-3);
    CHECK(coarse / fine == catena_test::relative(4.0, 0.1));
    CHECK(fine < 1e-4);
  }
}
