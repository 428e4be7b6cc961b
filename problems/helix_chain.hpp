// N square bars wound into a helix, released from rest: a chain that moves in all three dimensions. (Straight
// chains released from rest are mostly in free fall and flatter every method.)
//
// Bars of 0.4 m (body x) by 0.1 m by 0.1 m, density 1000 kg/m^3. The first lies along world x from the origin;
// each of the others is turned against the one before by Rx(0.01 pi) Rz(0.02 pi), in the axes of the one before.
// Joints at the ends of body x, the first to ground. Hinges of the revolute variant lie along body y of the bar
// that they carry.
#pragma once
#include <catena/problems/detail/chain_builder.hpp>
#include <catena/problems/problem.hpp>

namespace catena {

struct HelixChainParameters {
  int n = 400;
  detail::ChainJoint joint = detail::ChainJoint::spherical;
  double gravity = 9.81;  // along world -z [m/s^2]
};
void visit(OptionVisitor& visitor, HelixChainParameters& parameters);

class HelixChain : public Problem {
 public:
  explicit HelixChain(HelixChainParameters parameters = {}) : p_(parameters) {}

  std::string summary() const override {
    return "N bars wound into a helix, released from rest; moves in 3-D";
  }
  void visit(OptionVisitor& visitor) override { catena::visit(visitor, p_); }
  Model model() const override;
  ProblemDefaults defaults() const override { return {"generalized_alpha", 1e-3, 2.0}; }
  std::vector<ObservedPoint> observed_points() const override;
  std::vector<Invariant> invariants() const override;

 private:
  HelixChainParameters p_;
};

}  // namespace catena
