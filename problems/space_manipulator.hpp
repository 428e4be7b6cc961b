// A space manipulator of five bodies: a centre body that floats freely and two arms of two bodies each, without
// gravity. The source (named in euler_angles.hpp) ran "a five-body space manipulator's extension" with the centre
// body in pseudo-coordinates, and gives neither its layout nor a number; all of them are Catena's. Shoulders are ball
// joints, elbows hinges, so that two ball joints may be singular at once.
#pragma once
#include <catena/problems/detail/joint_tree_system.hpp>
#include <catena/problems/problem.hpp>

namespace catena {

// How the shoulders are described; maximal: everything as bodies and joints.
enum class ManipulatorForm { plain, replaced, mixed, maximal };

// Whose theta3 runs past a multiple of pi.
enum class ManipulatorPassage { none, centre_zero, centre_pi, one_shoulder, two_shoulders };

struct SpaceManipulatorParameters {
  ManipulatorForm form = ManipulatorForm::replaced;
  bool centre_in_angles = false;  // the centre body in plain Euler angles too, as it should not be
  ManipulatorPassage passage = ManipulatorPassage::centre_zero;
  double nearest = 0.0;       // distance of theta3 to the pole at that instant [rad]; 0: straight through
  double instant = 0.3;       // of the passage [s]
  double motor_torque = 0.0;  // of both elbows, opening them [N m]
  detail::PoleRule pole;
};
void visit(OptionVisitor& visitor, SpaceManipulatorParameters& parameters);

class SpaceManipulator : public Problem {
 public:
  explicit SpaceManipulator(SpaceManipulatorParameters parameters = {}) : p_(parameters) {}

  std::string summary() const override {
    return "free-floating body with two arms, five bodies, angles at the pole";
  }
  void visit(OptionVisitor& visitor) override { catena::visit(visitor, p_); }
  Model model() const override;
  std::unique_ptr<System> own_system() const override;
  ProblemDefaults defaults() const override;
  std::vector<Invariant> invariants() const override;

  // The mechanism at t = 0.
  detail::JointTree tree() const;

 private:
  SpaceManipulatorParameters p_;
};

}  // namespace catena
