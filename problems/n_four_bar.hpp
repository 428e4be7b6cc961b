// The N-four-bar mechanism (IFToMM library of benchmark problems, A02): n square windows side by side, of 2n + 1 uniform
// bars of 1 m and 1 kg in the x-y plane, gravity along -y. The n + 1 upright ones turn about pivots on the x axis, 1 m
// apart; the upper end of the first begins at (0, 1) with 1 m/s along x.
//
// The mechanism is flat twice in each turn: then the rows of every loop depend on each other, and each window could
// also continue as an antiparallelogram. The motion stays smooth, all windows stay parallelograms, and one angle phi from
// the upright describes it: phi'' = k sin phi, k = g ((n + 1)/2 + n) / ((n + 1)/3 + n).
//
// joints = hinges: 3n + 1 revolute joints, three redundant rows a window. joints = minimal: hinges on the ground, a
// universal and a ball joint for each horizontal bar, no redundant row.
#pragma once
#include <catena/problems/problem.hpp>

#include <cstdint>

namespace catena {

enum class WindowJoints : std::uint8_t { hinges, minimal };

struct NFourBarParameters {
  int n = 2;
  WindowJoints joints = WindowJoints::hinges;
  double gravity = 9.81;  // along world -y [m/s^2]
};
void visit(OptionVisitor& visitor, NFourBarParameters& parameters);

class NFourBar : public Problem {
 public:
  explicit NFourBar(NFourBarParameters parameters = {}) : p_(parameters) {}

  std::string summary() const override {
    return "N four-bar linkages in a row: closed loops, singular whenever they are flat (IFToMM A02)";
  }
  void visit(OptionVisitor& visitor) override { catena::visit(visitor, p_); }
  Model model() const override;
  ProblemDefaults defaults() const override { return {"generalized_alpha", 1e-3, 2.0}; }
  std::vector<ObservedPoint> observed_points() const override;
  std::vector<Invariant> invariants() const override;
  std::vector<Reference> references() const override;

 private:
  NFourBarParameters p_;
};

}  // namespace catena
