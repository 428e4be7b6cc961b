// Momentum of the bodies of a model.
#pragma once
#include <catena/math/parts/rotated.hpp>
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

// What one moving body adds: position, orientation, velocity, angular velocity as in RigidBodyState. Written out in
// scalars: this is done for every body of every row of the results, and short loops over three components cost it
// twice the time.
inline void add_momentum(Momentum& sum, double mass, const Mat3& inertia, const double* x, const Quat& turn,
                         const double* v, const double* w) {
  const double* J = inertia.e;
  const Vec3 spin =
      rotated(turn, {{J[0] * w[0] + J[1] * w[1] + J[2] * w[2], J[3] * w[0] + J[4] * w[1] + J[5] * w[2],
                      J[6] * w[0] + J[7] * w[1] + J[8] * w[2]}});
  const double p0 = mass * v[0], p1 = mass * v[1], p2 = mass * v[2];
  sum.linear.e[0] += p0;
  sum.linear.e[1] += p1;
  sum.linear.e[2] += p2;
  sum.angular.e[0] += x[1] * p2 - x[2] * p1 + spin.e[0];
  sum.angular.e[1] += x[2] * p0 - x[0] * p2 + spin.e[1];
  sum.angular.e[2] += x[0] * p1 - x[1] * p0 + spin.e[2];
}

// A point fixed in a body: where it is and how it moves, world frame [m], [m/s].
Vec3 point_position(const RigidBodyState& body, const Vec3& point);
Vec3 point_velocity(const RigidBodyState& body, const Vec3& point);

}  // namespace catena
