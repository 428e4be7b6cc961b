// Four boxes hanging in a V, released from rest (X. M. Xu, W. X. Zhong, "Symplectic integration for multibody
// dynamics based on quaternion parameters", Applied Mathematics and Mechanics, 2014, section 5).
//
// z-x-z Euler angles (pi/4, pi/4, 0) for boxes 1 and 2, (pi/4, 3 pi/4, 0) for 3 and 4; spherical joints at both
// ends of body z, the first to ground at the origin, built along -z'. The motion is planar: the centres stay in
// the plane of world z and x~ = (-x + y)/sqrt(2).
#pragma once
#include <catena/problems/problem.hpp>

namespace catena {

struct BoxChainParameters {
  double mass = 12.0;       // [kg]
  double inertia_x = 9.25;  // principal moments about the centre of mass [kg m^2]
  double inertia_y = 10.0;
  double inertia_z = 1.25;
  double length = 3.0;   // between the joints of a box, along body z [m]
  double gravity = 9.8;  // along -z [m/s^2]
};
void visit(OptionVisitor& visitor, BoxChainParameters& parameters);

class BoxChain : public Problem {
 public:
  explicit BoxChain(BoxChainParameters parameters = {}) : p_(parameters) {}

  std::string summary() const override { return "four boxes in a V on ball joints, released from rest"; }
  void visit(OptionVisitor& visitor) override { catena::visit(visitor, p_); }
  Model model() const override;
  ProblemDefaults defaults() const override { return {"discrete_action", 0.002, 10.0}; }
  std::vector<ObservedPoint> observed_points() const override;
  std::vector<Invariant> invariants() const override;
  std::vector<Reference> references() const override;

 private:
  BoxChainParameters p_;
};

}  // namespace catena
