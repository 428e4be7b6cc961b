#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/model/parts/inertia.hpp>
#include <catena/problems/detail/euler_ball_joint.hpp>
#include <catena/problems/detail/joint_tree_motion.hpp>
#include <catena/problems/euler_angles.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/studies/detail/euler_angles_runs.hpp>

#include <limits>
#include <utility>

namespace catena::detail::euler_angles_study {

PoleRule source_rule() {
  PoleRule rule;
  rule.test = PoleRule::Test::sine;
  rule.epsilon = 1e-4;
  rule.release = 1.0;
  rule.refuse_plain = false;
  return rule;
}

double condition_2(const Mat3& A) {
  const Vec3 moments = principal_inertia(A).moments;
  return moments[2] / moments[0];
}

Mat3 mass_in_angles(const Vec3& theta) {
  const Mat3 E = euler::rate_matrix(theta);
  return transpose_times(E, EulerBallJoint::inertia_about_pivot() * E);
}

BallPassage::BallPassage(double nearest, double instant, double theta1) {
  EulerBallJointParameters p;
  p.nearest = nearest;
  p.passage = instant;
  p.theta1 = theta1;
  tree = EulerBallJoint(p).tree();
  reference = attitude_reference(model_of(tree), step, end);
}

AttitudeRun BallPassage::run(AngleForm form, const PoleRule& rule, LinearSolverFactory backend) const {
  JointTree with = tree;
  with.links[0].form = form;
  return attitude_run(JointTreeSystem(with, rule), reference, std::move(backend));
}

double lost_velocity(double nearest, double epsilon) {
  constexpr double instant = 0.01;  // [s]; the end twice as far
  EulerBallJointParameters p;
  p.nearest = nearest;
  p.passage = instant;
  JointTree tree = EulerBallJoint(p).tree();
  tree.links[0].form = AngleForm::replaced;
  PoleRule rule = source_rule();
  rule.epsilon = epsilon;
  const MultibodySystem bodies(model_of(tree));
  const JointTreeSystem angles(tree, rule);
  bool ended = true;
  const auto velocity = [&](const System& system) {
    constexpr double tolerance = 1e-9;
    DormandPrince stepper({.rtol_position = tolerance,
                           .atol_position = tolerance,
                           .rtol_velocity = tolerance,
                           .atol_velocity = tolerance,
                           .max_step = 0.1 * epsilon});  // at 1.5 rad/s
    State state = system.initial_state();
    ended =
        catena::run(system, stepper, state, {.step = instant, .end = 2.0 * instant}).status == Status::ok &&
        ended;
    const RigidBodyState body = system.bodies(state).front();
    return Vec3(rotation_matrix(body.orientation) * body.angular_velocity);
  };
  const double lost = norm(Vec3(velocity(angles) - velocity(bodies)));
  return ended ? lost : std::numeric_limits<double>::quiet_NaN();
}

double error_of(const AttitudeRun& run) {
  return run.status == Status::ok ? run.error : std::numeric_limits<double>::quiet_NaN();
}

std::string result_text(const AttitudeRun& run) {
  if (run.status == Status::ok) return study_number(run.error, 3) + " rad";
  return "no result (" + std::string(to_string(run.status)) + " at " + study_number(run.t_end, 4) + " s, " +
         run.culprit + ")";
}

}  // namespace catena::detail::euler_angles_study
