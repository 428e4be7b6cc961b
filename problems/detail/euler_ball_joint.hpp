// A rigid body on a ball joint whose Euler angle theta3 runs through zero or passes it closely: the breakdown of
// Lagrange's equations in Euler angles and its two remedies (the source is named in euler_angles.hpp, which gives no
// example of its own; body and motion are Catena's).
#pragma once
#include <catena/problems/detail/joint_tree_system.hpp>
#include <catena/problems/problem.hpp>

namespace catena::detail {

// How the joint is described; maximal: a body with a spherical joint.
enum class BallJointForm { plain, replaced, mixed, printed_replaced, printed_rates, printed_pole, maximal };

struct EulerBallJointParameters {
  BallJointForm form = BallJointForm::mixed;
  double nearest = 0.0;  // theta3 where it is closest to the pole, at `passage` [rad]; 0: straight through
  double theta1 = 0.6;   // at that instant [rad]
  double passage = 0.3;  // [s]
  PoleRule pole;
};
void visit(OptionVisitor& visitor, EulerBallJointParameters& parameters);

class EulerBallJoint : public Problem {
 public:
  explicit EulerBallJoint(EulerBallJointParameters parameters = {}) : p_(parameters) {}

  std::string summary() const override { return "ball joint in Euler angles through their singularity"; }
  void visit(OptionVisitor& visitor) override { catena::detail::visit(visitor, p_); }
  Model model() const override;
  std::unique_ptr<System> own_system() const override;
  ProblemDefaults defaults() const override;
  std::vector<Invariant> invariants() const override;

  // The body on its joint at t = 0.
  JointTree tree() const;
  // The 3 x 3 mass matrix in angles that the pole is about, for tables: J about the pivot.
  static Mat3 inertia_about_pivot();

 private:
  EulerBallJointParameters p_;
};

// Names and meaning of a rule's members, for problems that have one.
void visit(OptionVisitor& visitor, PoleRule& rule);

}  // namespace catena::detail
