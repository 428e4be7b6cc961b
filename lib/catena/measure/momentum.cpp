#include <catena/measure/parts/momentum.hpp>

#include <cassert>

namespace catena {

Momentum momentum(const Model& model, const std::vector<RigidBodyState>& bodies) {
  assert(static_cast<int>(bodies.size()) == model.body_count());
  Momentum sum;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const Body& body = model.bodies()[k];
    if (body.fixed) continue;
    const RigidBodyState& s = bodies[k];
    add_momentum(sum, body.mass, body.inertia, s.position.e, s.orientation, s.velocity.e,
                 s.angular_velocity.e);
  }
  return sum;
}

Vec3 point_position(const RigidBodyState& body, const Vec3& point) {
  return body.position + rotation_matrix(body.orientation) * point;
}

Vec3 point_velocity(const RigidBodyState& body, const Vec3& point) {
  return body.velocity + rotation_matrix(body.orientation) * cross(body.angular_velocity, point);
}

}  // namespace catena
