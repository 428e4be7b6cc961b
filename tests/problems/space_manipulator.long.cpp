#include <catena/problems/detail/joint_tree_motion.hpp>
#include <catena/problems/space_manipulator.hpp>
#include <catena/solvers/runge_kutta_4.hpp>
#include <catena/studies/detail/attitude_run.hpp>

#include "support/relative.hpp"

#include <Eigen/Eigenvalues>
#include <doctest/doctest.h>

#include <initializer_list>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace space_manipulator_long_tests {

namespace {

using namespace catena;
using namespace catena::detail;
// A passage and its reference, made once.
struct Passage {
  JointTree tree;
  AttitudeReference reference;
};

const Passage& passage_of(ManipulatorPassage which, double nearest, double instant) {
  static std::map<std::tuple<ManipulatorPassage, double, double>, Passage> known;
  const auto [place, made] = known.try_emplace({which, nearest, instant});
  if (!made) return place->second;
  SpaceManipulatorParameters p;
  p.passage = which;
  p.nearest = nearest;
  p.instant = instant;
  Passage& passage = place->second;
  passage.tree = SpaceManipulator(p).tree();
  // up to the passage and a sixth of the way beyond it, where an error has shown
  passage.reference = attitude_reference(model_of(passage.tree), 1e-3, 0.4);
  REQUIRE(passage.reference.attitudes.size() == 400);
  return passage;
}

AttitudeRun pass(ManipulatorPassage which, ManipulatorForm form, double nearest, const PoleRule& rule,
                 double instant = 0.3) {
  const Passage& passage = passage_of(which, nearest, instant);
  JointTree tree = passage.tree;
  for (TreeLink& link : tree.links)
    if (link.type == JointType::ball)
      link.form = form == ManipulatorForm::plain      ? AngleForm::plain
                  : form == ManipulatorForm::replaced ? AngleForm::replaced
                                                      : AngleForm::mixed;
  return attitude_run(JointTreeSystem(tree, rule), passage.reference);
}

constexpr double distances[] = {0.0, 1e-5, 1e-4, 1e-3};  // from the pole

// The source's: |sin theta3| <= 1e-4, at every stage by itself.
PoleRule source_rule() {
  PoleRule rule;
  rule.test = PoleRule::Test::sine;
  rule.release = 1.0;
  return rule;
}

}  // namespace

TEST_CASE("space manipulator: away from the pole every form follows the bodies to roundoff") {
  // RK4 at h = 1e-3 on motions of 1 rad/s: 1e-12 h^0; measured 9e-15.
  for (const ManipulatorForm form :
       {ManipulatorForm::plain, ManipulatorForm::replaced, ManipulatorForm::mixed}) {
    const AttitudeRun run = pass(ManipulatorPassage::none, form, 0.0, PoleRule{});
    CHECK(run.status == Status::ok);
    CHECK(run.error < 1e-12);
    CHECK(run.energy_error < 1e-13);
    CHECK(run.switches == 0);
  }
}

TEST_CASE(
    "space manipulator: the centre body passes theta3 = 0 and theta3 = pi in the mixed form within 3 "
    "epsilon") {
  const PoleRule source = source_rule(), ours;
  for (const ManipulatorPassage passage : {ManipulatorPassage::centre_zero, ManipulatorPassage::centre_pi})
    for (const double nearest : distances) {
      CAPTURE(static_cast<int>(passage));
      CAPTURE(nearest);
      const AttitudeRun run = pass(passage, ManipulatorForm::replaced, nearest, source);
      CHECK(run.error <= 3.0 * source.epsilon);
      CHECK(run.energy_error < 1e-13);  // velocities do not depend on the angles
      if (nearest == 0.0) CHECK(run.error < 1e-8);
      const AttitudeRun by_condition = pass(passage, ManipulatorForm::replaced, nearest, ours, 0.3004);
      CHECK(by_condition.error <= 3.0 * 2.0 / std::sqrt(ours.limit_rates));
    }
}

TEST_CASE("space manipulator: one ball joint, then two at once, end the plain form under the joint's name") {
  for (const ManipulatorPassage passage :
       {ManipulatorPassage::one_shoulder, ManipulatorPassage::two_shoulders})
    for (const double nearest : distances) {
      if (nearest == 1e-3) continue;  // far enough to pass
      const AttitudeRun run = pass(passage, ManipulatorForm::plain, nearest, PoleRule{});
      CHECK(run.status == Status::singular_kkt);
      CHECK(run.culprit == "ball joint \"left shoulder\" (Euler angles)");
      CHECK(run.t_end == catena_test::relative(0.299, 1e-5));
      CHECK(run.error < 1e-5);
    }
}

TEST_CASE("space manipulator: one ball joint, then two at once, pass in the replaced form") {
  const PoleRule source = source_rule(), ours;
  for (const ManipulatorPassage passage :
       {ManipulatorPassage::one_shoulder, ManipulatorPassage::two_shoulders}) {
    CAPTURE(static_cast<int>(passage));
    // The source's switch, straight through: measured 8.2e-5.
    CHECK(pass(passage, ManipulatorForm::replaced, 0.0, source).error <= 3.0 * source.epsilon);
    // Past the pole at a tenth of epsilon it loses what it drops (euler_ball_joint.cpp), and the bound does not hold:
    // 2.6e-2 at 0.6 s, a third of that after the third of the time that is run here.
    const AttitudeRun past = pass(passage, ManipulatorForm::replaced, 1e-5, source);
    CHECK(past.status == Status::ok);
    CHECK(past.error / (3.0 * source.epsilon) == catena_test::relative(29.0, 0.04));
    CHECK(past.error == catena_test::relative(2.6e-2 / 3.0, 0.04));
    // With memory and aim: 3 epsilon at any distance, epsilon = 2 / sqrt(limit) of the block's condition; measured
    // at most 3.1e-3.
    for (const double nearest : distances) {
      CAPTURE(nearest);
      for (const double instant : {0.3, 0.30025}) {
        const AttitudeRun run = pass(passage, ManipulatorForm::replaced, nearest, ours, instant);
        CHECK(run.status == Status::ok);
        CHECK(run.error <= 3.0 * 2.0 / std::sqrt(ours.limit_mass));
      }
    }
  }
}

TEST_CASE("space manipulator: shoulders in the mixed form pass within 3 epsilon at any distance") {
  const PoleRule source = source_rule();
  for (const ManipulatorPassage passage :
       {ManipulatorPassage::one_shoulder, ManipulatorPassage::two_shoulders})
    for (const double nearest : distances)
      CHECK(pass(passage, ManipulatorForm::mixed, nearest, source).error <= 3.0 * source.epsilon);
}

TEST_CASE(
    "space manipulator: the block of a joint shows what happens to the whole mass matrix, and whose it is") {
  SpaceManipulatorParameters p;
  p.form = ManipulatorForm::plain;
  p.passage = ManipulatorPassage::none;
  p.pole.refuse_plain = false;
  const JointTreeSystem system(SpaceManipulator(p).tree(), p.pole);
  const State start = system.initial_state();
  const int n = system.layout().v_size();
  struct Conditions {
    double whole, left, right;
  };
  const auto conditions = [&](double left, double right) {
    std::vector<double> q = start.q;
    q[static_cast<std::size_t>(system.offset(1) + 2)] = left;
    q[static_cast<std::size_t>(system.offset(3) + 2)] = right;
    Point at;
    at.q = q.data();
    Eigen::MatrixXd A(n, n);
    system.mass_matrix(at, A.data());
    const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A).eigenvalues();
    return Conditions{values[n - 1] / values[0], system.condition_estimate(at, 1),
                      system.condition_estimate(at, 3)};
  };
  const Conditions far = conditions(1.2, 1.2), one = conditions(1e-3, 1.2), nearer = conditions(1e-4, 1.2),
                   two = conditions(1e-4, 1e-4);
  CHECK(far.whole < 1e5);
  CHECK(far.left < 100.0);
  // 1 / sin^2, to the relative 1e-3 that theta3 itself leaves; eigenvalues lose 1e-16 of the largest, 1e-4 of the
  // smallest at a condition of 1e12
  CHECK(nearer.whole / one.whole == catena_test::relative(100.0, 0.01));
  CHECK(nearer.left / one.left == catena_test::relative(100.0, 0.01));
  CHECK(nearer.right == catena_test::relative(far.right, 0.5));
  CHECK(two.left > 1e6);
  CHECK(two.right > 1e6);
}

TEST_CASE("space manipulator: energy and momenta are kept, the arms open when their motors push") {
  SpaceManipulatorParameters p;
  p.passage = ManipulatorPassage::none;
  const auto momentum = [](const JointTreeSystem& system, const State& s) {
    // from the bodies, about the origin
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
    const auto bodies = system.bodies(s);
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      const TreeLink& link = system.tree().links[k];
      const Vec3 push = link.mass * bodies[k].velocity;
      linear += push;
      angular += cross(bodies[k].position, push) +
                 rotation_matrix(bodies[k].orientation) * (link.inertia * bodies[k].angular_velocity);
    }
    return std::pair{linear, angular};
  };
  for (const double torque : {0.0, 5.0}) {
    p.motor_torque = torque;
    const JointTreeSystem system(SpaceManipulator(p).tree(), p.pole);
    State s = system.initial_state();
    const auto [linear, angular] = momentum(system, s);
    const double energy = system.energy(point_of(s)).total();
    const double left = s.q[static_cast<std::size_t>(system.offset(2))];
    RungeKutta4 stepper;
    REQUIRE(stepper.attach(system).status == Status::ok);
    REQUIRE(stepper.start(s, 1e-3).status == Status::ok);
    for (int k = 0; k < 1000; ++k) REQUIRE(stepper.step(s, 1e-3).status == Status::ok);
    const auto [linear_end, angular_end] = momentum(system, s);
    // RK4 leaves h^4 = 1e-12 times derivatives of order five, 1e3 here with the motors on: 1e-9
    CHECK(norm(Vec3(linear_end - linear)) < 2e-9);
    CHECK(norm(Vec3(angular_end - angular)) < 2e-9);
    const double change = system.energy(point_of(s)).total() - energy;
    if (torque == 0.0) CHECK(std::abs(change) < 1e-10 * energy);
    if (torque == 0.0) continue;
    // the work of both motors
    const double work = torque * (left - s.q[static_cast<std::size_t>(system.offset(2))]) +
                        torque * (1.9 - s.q[static_cast<std::size_t>(system.offset(4))]);
    CHECK(change == catena_test::relative(work, 1e-10));
    CHECK(s.q[static_cast<std::size_t>(system.offset(2))] < left - 0.7);
  }
}

}  // namespace space_manipulator_long_tests
