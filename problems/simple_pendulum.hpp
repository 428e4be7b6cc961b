// The simple pendulum of the IFToMM benchmark library (A01): a mass point of 1 kg on a massless rod of 1 m, from
// (-1, 0) at rest, gravity along -y.
//
// As a body: 2 kg, centre of mass 0.5 m from a revolute joint about world z, J = 0.5 I kg m^2, which has the same
// Lagrangian (1 kg m^2 about the joint, m g d = 9.81 N m). The mass point is the observed point "point", 1 m from
// the joint along body x.
#pragma once
#include <catena/problems/problem.hpp>

namespace catena {

struct SimplePendulumParameters {
  double gravity = 9.81;  // along world -y [m/s^2]
};
void visit(OptionVisitor& visitor, SimplePendulumParameters& parameters);

class SimplePendulum : public Problem {
 public:
  explicit SimplePendulum(SimplePendulumParameters parameters = {}) : p_(parameters) {}

  std::string summary() const override { return "IFToMM A01: a pendulum released level, exact digits known"; }
  void visit(OptionVisitor& visitor) override { catena::visit(visitor, p_); }
  Model model() const override;
  ProblemDefaults defaults() const override { return {"generalized_alpha", 1e-3, 10.0}; }
  std::vector<ObservedPoint> observed_points() const override;
  std::vector<Invariant> invariants() const override;
  std::vector<Reference> references() const override;
  std::optional<std::vector<RigidBodyState>> exact_bodies(double t) const override;

 private:
  SimplePendulumParameters p_;
};

}  // namespace catena
