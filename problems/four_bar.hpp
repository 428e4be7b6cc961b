// A planar linkage of four bars, the ground one of them, on four revolute joints: a crank of 0.3 m that turns full
// circles, a coupler of 0.9 m, a rocker of 0.8 m; pivots 1 m apart, gravity along -y, released at rest with the
// crank upright. Uniform square bars of 20 mm and 1 kg/m, centre of mass half way, body x from joint to joint.
//
// The hinges hold each bar in its plane more than once: 20 rows, 17 of them independent. `twin` puts a ball joint
// on the crank's pivot, three redundant rows more.
#pragma once
#include <catena/problems/problem.hpp>

namespace catena {

struct FourBarParameters {
  double gravity = 9.81;  // along world -y [m/s^2]
  bool twin = false;
};
void visit(OptionVisitor& visitor, FourBarParameters& parameters);

class FourBar : public Problem {
 public:
  explicit FourBar(FourBarParameters parameters = {}) : p_(parameters) {}

  std::string summary() const override {
    return "crank-rocker linkage of four hinges: a closed loop with three redundant rows";
  }
  void visit(OptionVisitor& visitor) override { catena::visit(visitor, p_); }
  Model model() const override;
  ProblemDefaults defaults() const override { return {"generalized_alpha", 1e-3, 2.0}; }
  std::vector<ObservedPoint> observed_points() const override;
  std::vector<Invariant> invariants() const override;

 private:
  FourBarParameters p_;
};

}  // namespace catena
