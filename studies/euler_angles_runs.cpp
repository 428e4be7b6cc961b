#include <catena/model/inertia.hpp>
#include <catena/problems/euler_angles.hpp>
#include <catena/problems/euler_ball_joint.hpp>
#include <catena/problems/joint_tree_motion.hpp>
#include <catena/studies/euler_angles_runs.hpp>

#include <limits>
#include <utility>

namespace catena::euler_angles_study {

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

double error_of(const AttitudeRun& run) {
  return run.status == Status::ok ? run.error : std::numeric_limits<double>::quiet_NaN();
}

std::string result_text(const AttitudeRun& run) {
  if (run.status == Status::ok) return study_number(run.error, 3) + " rad";
  return "no result (" + std::string(to_string(run.status)) + " at " + study_number(run.t_end, 4) + " s, " +
         run.culprit + ")";
}

}  // namespace catena::euler_angles_study
