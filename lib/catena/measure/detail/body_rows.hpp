// The bodies of a model out of rows of numbers, without their names: cheap to make.
#pragma once
#include <catena/assembly/parts/body_system.hpp>

#include <vector>

namespace catena::detail {

// q: seven coordinates a moving body; v: those of its freedoms (six of a rigid body), or seven where the system has as many.
class BodyRows {
 public:
  // The system outlives it.
  explicit BodyRows(const BodySystem& system);

  const BodySystem& system() const { return system_; }
  bool has_six_velocities() const { return !seven_ && system_.freedoms().all_six(); }
  // Of a model: its place among the moving bodies; -1: fixed.
  int block_of_body(int body) const { return block_of_body_[static_cast<std::size_t>(body)]; }

  RigidBodyState moving_body(int block, const double* q, const double* v) const;
  RigidBodyState body(BodyId id, const double* q, const double* v) const;  // ground and fixed ones too

  // q with quaternions of unit length: q itself, or a copy in `work` where the system does not keep them so.
  const double* unit_poses(const double* q, std::vector<double>& work) const;

  // What a force supplies beside its potential [W] (model/detail/force_power.hpp). Of the point t, q, v, the discrete values
  // and the multipliers count. size: the absolute values of its two parts, the power of its wrenches and the rate of its
  // potential.
  double force_power(int force, const Point& at, double* size = nullptr) const;

 private:
  const BodySystem& system_;
  bool seven_;
  std::vector<int> block_of_body_;
};

}  // namespace catena::detail
