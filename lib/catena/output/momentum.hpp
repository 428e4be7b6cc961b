// Momentum of the bodies of a model.
#pragma once
#include <catena/model/model.hpp>
#include <catena/system/system.hpp>

#include <vector>

namespace catena {

struct Momentum {
  Vec3 linear = Vec3::Zero();  // sum m v, world frame [kg m/s]
  Vec3 angular =
      Vec3::Zero();  // about the world's origin: sum m x cross v + R J Omega, world frame [kg m^2/s]
};

// bodies: of every body of the model, in its order. Fixed bodies do not count.
Momentum momentum(const Model& model, const std::vector<RigidBodyState>& bodies);

// A point fixed in a body: where it is and how it moves, world frame [m], [m/s].
Vec3 point_position(const RigidBodyState& body, const Vec3& point);
Vec3 point_velocity(const RigidBodyState& body, const Vec3& point);

}  // namespace catena
