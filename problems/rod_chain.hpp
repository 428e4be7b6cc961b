// N uniform rods of 1 m and 1 kg, level along +x, released from rest; planar motion with revolute joints about
// world z or, with the same initial data, spherical joints. N = 1 is a compound pendulum.
#pragma once
#include <catena/problems/detail/chain_builder.hpp>
#include <catena/problems/problem.hpp>

namespace catena {

struct RodChainParameters {
  int n = 10;
  detail::ChainJoint joint = detail::ChainJoint::revolute;
  double gravity = 9.81;  // along world -y [m/s^2]
};
void visit(OptionVisitor& visitor, RodChainParameters& parameters);

class RodChain : public Problem {
 public:
  explicit RodChain(RodChainParameters parameters = {}) : p_(parameters) {}

  std::string summary() const override { return "N uniform rods, level, released from rest; planar motion"; }
  void visit(OptionVisitor& visitor) override { catena::visit(visitor, p_); }
  Model model() const override;
  ProblemDefaults defaults() const override { return {"generalized_alpha", 1e-3, p_.n < 40 ? 2.0 : 1.0}; }
  std::vector<ObservedPoint> observed_points() const override;
  std::vector<Invariant> invariants() const override;
  std::vector<Reference> references() const override;

 private:
  RodChainParameters p_;
};

}  // namespace catena
