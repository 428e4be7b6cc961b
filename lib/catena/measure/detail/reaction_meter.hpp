// What joints do to bodies: -G_i^T lambda of every constraint, as forces and torques for people.
//
// A side is one constraint acting on one moving body. A joint whose rows say that they act equal and opposite
// (model/rows/meaning.hpp) has the side of its second body alone, unless that is fixed: the first body feels the opposite
// force and torque, at its own point or at the place of the second one's, as the rows say. Other constraints have a side for
// each of their moving bodies. What fixed bodies and the ground feel is the opposite of what the moving body feels.
#pragma once
#include <catena/assembly/parts/body_system.hpp>

namespace catena::detail {

struct ReactionSide {
  int constraint = 0;    // dual block
  BodyId body = ground;  // that feels it
  int block = 0;         // the same as a primal block: its place among the moving bodies
  Vec3 point =
      Vec3::Zero();  // frame of the body [m]: of the joint; the centre of mass where the type has none
};

class ReactionMeter {
 public:
  // The system outlives it.
  explicit ReactionMeter(const BodySystem& system);

  const std::vector<ReactionSide>& sides() const { return sides_; }

  // q: seven coordinates a moving body, unit quaternions; lambda, discrete: as in State. Six numbers a side: the
  // force on the body in world axes [N], then the torque on it about the side's point in world axes [N m].
  // Allocates nothing. Not for two threads at once.
  void operator()(double t, const double* q, const double* lambda, const double* discrete, double* out);

 private:
  void find_sides(const Model& model);
  void aim_groups(const Model& model);

  ElementLayout elements_;
  std::vector<ReactionSide> sides_;
  std::vector<int> first_side_;  // per constraint
  std::vector<double> wrench_;   // G^T lambda: six a side, then six for what is not kept
  // Of a joint whose multiplier is the force already, with this sign on the body, without a torque about its point.
  struct PlainForce {
    int lambda_at = -1;  // -1: another kind of side
    double sign = 0.0;
  };
  std::vector<PlainForce> plain_;
  const LaneFunctions* functions_ = &lane_functions();
};

}  // namespace catena::detail
