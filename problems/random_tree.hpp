// A tree of N random boxes with joints of several kinds, released from rest: for scaling over mixed mechanisms, and for
// tests on mechanisms that nobody has thought of.
//
// Density 1000 kg/m^3, sides of 0.1 to 0.4 m, any orientation. The first box hangs on a ball joint at the origin. Each of
// the others hangs on one of the `reach` boxes before it, on a ball joint (0.4), a hinge (0.4) or a universal joint (0.2),
// between two points inside the boxes, with any axes. All numbers follow from the seed (math/detail/philox.hpp), those of
// box k from the seed and k alone: a tree of N boxes is the beginning of every longer one.
#pragma once
#include <catena/problems/problem.hpp>

namespace catena {

struct RandomTreeParameters {
  int n = 50;
  int reach = 8;           // boxes before, one of which is the parent; 1: a chain
  double gravity = 9.81;   // along world -z [m/s^2]
  std::uint64_t seed = 0;  // Scenario::seed, and so not in the listing of the parameters
};
void visit(OptionVisitor& visitor, RandomTreeParameters& parameters);

class RandomTree : public Problem {
 public:
  explicit RandomTree(RandomTreeParameters parameters = {}) : p_(parameters) {}

  std::string summary() const override {
    return "N random boxes in a tree of ball joints, hinges and universal joints, released from rest";
  }
  void visit(OptionVisitor& visitor) override { catena::visit(visitor, p_); }
  std::uint64_t* seed() override { return &p_.seed; }
  Model model() const override;
  ProblemDefaults defaults() const override { return {"generalized_alpha", 1e-3, 1.0}; }
  std::vector<ObservedPoint> observed_points() const override { return {{"last", p_.n - 1, Vec3::Zero()}}; }
  std::vector<Invariant> invariants() const override;

 private:
  RandomTreeParameters p_;
};

}  // namespace catena
