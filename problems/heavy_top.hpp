// The heavy top of O. Bruels, A. Cardona, M. Arnold, "Lie group generalized-alpha time integration of constrained
// flexible multibody systems", Mechanism and Machine Theory 48, 2012: fast spin about body y, the fixed point at
// the origin as a ball joint to ground.
#pragma once
#include <catena/problems/problem.hpp>

namespace catena {

struct HeavyTopParameters {
  double spin = 150.0;           // Omega_2(0), about body y, the axis of symmetry [rad/s]
  double precession = -4.61538;  // Omega_3(0), about body z [rad/s]
  double gravity = 9.81;         // along world -z [m/s^2]
};
void visit(OptionVisitor& visitor, HeavyTopParameters& parameters);

class HeavyTop : public Problem {
 public:
  explicit HeavyTop(HeavyTopParameters parameters = {}) : p_(parameters) {}

  std::string summary() const override { return "Bruels-Cardona-Arnold 2012: fast top about a fixed point"; }
  void visit(OptionVisitor& visitor) override { catena::visit(visitor, p_); }
  Model model() const override;
  ProblemDefaults defaults() const override { return {"generalized_alpha", 1e-3, 1.0}; }
  std::vector<Invariant> invariants() const override;
  std::vector<Reference> references() const override;

 private:
  HeavyTopParameters p_;
};

}  // namespace catena
