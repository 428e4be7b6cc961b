#include <catena/math/detail/index.hpp>
#include <catena/measure/parts/joint_coordinates.hpp>
#include <catena/model/rows/locked.hpp>

#include <cmath>

namespace catena {
using namespace detail;

std::optional<MarkedJoint> marked_joint(const Model& model, ConstraintId joint) {
  const Model::ElementRef& ref = model.constraints()[index(static_cast<int>(joint))];
  const ElementPool& pool = *model.pools()[index(ref.pool)];
  rows::Markers m;
  if (!pool.markers(ref.element, m)) return std::nullopt;
  return MarkedJoint{static_cast<int>(joint),
                     pool.body(ref.element, 0),
                     pool.body(ref.element, 1),
                     rows::triad(m.axis_a, m.side_a),
                     rows::triad(m.axis_b, m.side_b),
                     m.point_a,
                     m.point_b};
}

JointCoordinates coordinates(const MarkedJoint& joint, const RigidBodyState& a, const RigidBodyState& b) {
  const Mat3 R_a = rotation_matrix(a.orientation), R_b = rotation_matrix(b.orientation);
  const Mat3 A = R_a * joint.triad_a, B = R_b * joint.triad_b;
  const Vec3 axis{{A(0, 2), A(1, 2), A(2, 2)}}, side{{B(0, 0), B(1, 0), B(2, 0)}};
  const Vec3 omega_a = R_a * a.angular_velocity, omega_b = R_b * b.angular_velocity;

  // As the triad A sees the side of B, and its rate there.
  const Vec3 seen = transpose_times(A, side);
  const Vec3 turning = transpose_times(A, cross(Vec3(omega_b - omega_a), side));

  const Vec3 arm_a = R_a * joint.point_a, arm_b = R_b * joint.point_b;
  const Vec3 way = (b.position - a.position) + (arm_b - arm_a);
  const Vec3 way_rate = (b.velocity - a.velocity) + (cross(omega_b, arm_b) - cross(omega_a, arm_a));
  return {
      .angle = std::atan2(seen[1], seen[0]),
      .angle_rate = (seen[0] * turning[1] - seen[1] * turning[0]) / (seen[0] * seen[0] + seen[1] * seen[1]),
      .displacement = dot(axis, way),
      .displacement_rate = dot(axis, Vec3(way_rate - cross(omega_a, way)))};
}

}  // namespace catena
