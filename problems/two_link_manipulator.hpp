// The two-link manipulator of Li, Li, Ding, Pan, "Constraints stabilization method for DAEs on Lie group of
// multibody system dynamics" (Journal of Dynamics and Control 16, 2018): two rods on ball joints, turning fast.
// The source gives no moments of inertia. Those here reproduce its tables: cylinders about body z, although the
// rods lie along body x.
#pragma once
#include <catena/problems/problem.hpp>

#include <numbers>

namespace catena {

struct TwoLinkManipulatorParameters {
  double mass = 5.0;                      // of each link [kg]
  double length = 1.0;                    // of each link, along body x [m]
  double radius = 0.1;                    // of the cylinder that the moments of inertia belong to [m]
  double spin = 10.0 * std::numbers::pi;  // Omega_1 = spin (1, 0, 0), Omega_2 = spin (1, 1, 2) [rad/s]
  double gravity = 9.81;                  // along world -z [m/s^2]
};
void visit(OptionVisitor& visitor, TwoLinkManipulatorParameters& parameters);

class TwoLinkManipulator : public Problem {
 public:
  explicit TwoLinkManipulator(TwoLinkManipulatorParameters parameters = {}) : p_(parameters) {}

  std::string summary() const override {
    return "Li-Li-Ding-Pan 2018: two links on ball joints, 5 and 12 turns a second";
  }
  void visit(OptionVisitor& visitor) override { catena::visit(visitor, p_); }
  // Rows of "base" are x_1 + R_1 X_10, those of "elbow" x_1 + R_1 X_11 - x_2 - R_2 X_21, as in the source.
  Model model() const override;
  ProblemDefaults defaults() const override { return {"lie_dae", 1e-4, 0.1}; }
  std::vector<ObservedPoint> observed_points() const override;
  std::vector<Invariant> invariants() const override;

 private:
  TwoLinkManipulatorParameters p_;
};

}  // namespace catena
