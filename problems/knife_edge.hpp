// A skate: a body with one blade. On an inclined plane with the blade under the centre of mass its motion is a
// cycloid that does not run downhill, although gravity pulls it; on the level, with the blade behind the centre, it is
// the Chaplygin sleigh, which comes to glide straight on. Both have exact solutions.
//
// The plane of the motion is z = 0 and x points downhill; the part of gravity across the plane does nothing and is
// left out. The body stays in the plane by itself: nothing pulls it out.
#pragma once
#include <catena/problems/problem.hpp>

namespace catena {

struct KnifeEdgeParameters {
  double incline = 0.5;   // of the plane against the level [rad]
  double gravity = 9.81;  // [m/s^2]
  double mass = 1.0;      // [kg]
  double inertia = 0.1;   // about the vertical through the centre of mass [kg m^2]
  double offset = 0.0;    // of the blade behind the centre of mass [m]
  double heading = 0.3;   // of the blade against downhill, at the start [rad]
  double spin = 2.0;      // at the start [rad/s]
  double speed = 0.5;     // along the blade, at the start [m/s]
};
void visit(OptionVisitor& visitor, KnifeEdgeParameters& parameters);

class KnifeEdgeProblem : public Problem {
 public:
  explicit KnifeEdgeProblem(KnifeEdgeParameters parameters = {}) : p_(parameters) {}

  std::string summary() const override {
    return "a skate on an inclined plane, or the Chaplygin sleigh (offset): nonholonomic, exact solution";
  }
  void visit(OptionVisitor& visitor) override { catena::visit(visitor, p_); }
  Model model() const override;
  ProblemDefaults defaults() const override { return {"generalized_alpha", 1e-3, 5.0}; }
  std::vector<ObservedPoint> observed_points() const override;
  std::vector<Invariant> invariants() const override;
  std::vector<Reference> references() const override;
  std::optional<std::vector<RigidBodyState>> exact_bodies(double t) const override;

 private:
  KnifeEdgeParameters p_;
};

// The exact motion of the body called "skate" and the multiplier of its blade. Known where has_exact_motion().
struct SkateMotion {
  double heading = 0.0;  // [rad]
  double spin = 0.0;     // [rad/s]
  Vec3 velocity = Vec3::Zero();
  Vec3 position = Vec3::Zero();  // of the centre of mass; not known (NaN) for the Chaplygin sleigh
  double lambda = 0.0;           // minus the force on the body across the blade, to its left [N]
};
bool has_exact_motion(const KnifeEdgeParameters& parameters);
SkateMotion exact_motion(const KnifeEdgeParameters& parameters, double t);

}  // namespace catena
