// N boxes straight along world x, released from rest: the chain of scaling studies.
#pragma once
#include <catena/problems/problem.hpp>

namespace catena {

struct StraightBoxChainParameters {
  int n = 100;           // boxes: 12 kg, 1 x 0.5 x 3 m, spherical joints 3 m apart on body z
  double gravity = 9.8;  // along world -z [m/s^2]
};
void visit(OptionVisitor& visitor, StraightBoxChainParameters& parameters);

class StraightBoxChain : public Problem {
 public:
  explicit StraightBoxChain(StraightBoxChainParameters parameters = {}) : p_(parameters) {}

  std::string summary() const override {
    return "N boxes on ball joints, straight and level, released from rest";
  }
  void visit(OptionVisitor& visitor) override { catena::visit(visitor, p_); }
  Model model() const override;
  ProblemDefaults defaults() const override { return {"generalized_alpha", 1e-3, 1.0}; }
  std::vector<ObservedPoint> observed_points() const override;
  std::vector<Invariant> invariants() const override;

 private:
  StraightBoxChainParameters p_;
};

}  // namespace catena
