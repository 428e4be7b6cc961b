// What the parts of study D share: the rule of the source, passages of one body, how results are reported.
#pragma once
#include <catena/output/parts/study.hpp>
#include <catena/problems/detail/joint_tree_system.hpp>
#include <catena/studies/detail/attitude_run.hpp>

#include <string>

namespace catena::detail::euler_angles_study {

inline constexpr double step = 1e-3, end = 0.6;  // [s]

// The source's switch: |sin theta3| <= 1e-4, at every stage by itself; nothing is refused.
PoleRule source_rule();

double condition_2(const Mat3& A);       // symmetric positive definite; in the 2-norm
Mat3 mass_in_angles(const Vec3& theta);  // E^T J E of the body of euler_ball_joint

// A passage of one body, and its reference. nearest, instant, theta1: EulerBallJointParameters.
struct BallPassage {
  JointTree tree;
  AttitudeReference reference;

  explicit BallPassage(double nearest, double instant = 0.3, double theta1 = 0.6);
  AttitudeRun run(AngleForm form, const PoleRule& rule, LinearSolverFactory backend = {}) const;
};

// How far the angular velocity of the replaced form is off behind the pole, passed at `nearest` with steps that follow
// the switch at |sin theta3| <= epsilon [rad/s]. NaN: a run failed.
double lost_velocity(double nearest, double epsilon);

double error_of(const AttitudeRun& run);  // NaN: no result
std::string result_text(const AttitudeRun& run);

// The parts in files of their own.
void misprints(StudyReport& report);
void figures(StudyReport& report);

}  // namespace catena::detail::euler_angles_study
