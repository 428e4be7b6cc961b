#include <catena/math/detail/index.hpp>
#include <catena/measure/parts/joint_coordinates.hpp>
#include <catena/model/detail/joint_coordinate.hpp>
#include <catena/model/detail/no_such.hpp>
#include <catena/model/rows/coordinate.hpp>

namespace catena {
using namespace detail;

std::optional<MarkedJoint> marked_joint(const Model& model, ConstraintId joint) {
  check_number("joint", static_cast<int>(joint), static_cast<int>(model.constraints().size()));
  const Model::ElementRef& ref = model.constraints()[index(static_cast<int>(joint))];
  const ElementPool& pool = *model.pools()[index(ref.pool)];
  rows::Markers m;
  if (!marked_coordinate(model, joint, m)) return std::nullopt;
  return MarkedJoint{static_cast<int>(joint),
                     pool.body(ref.element, 0),
                     pool.body(ref.element, 1),
                     rows::triad(m.axis_a, m.side_a),
                     rows::triad(m.axis_b, m.side_b),
                     m.point_a,
                     m.point_b,
                     m.has_axis};
}

namespace {

BodyFrame<double> frame_of(const RigidBodyState& b) {
  return {b.position, rotation_matrix(b.orientation), b.velocity, b.angular_velocity};
}

template <class Row>
double rate_of(const Row& row, const BodyFrame<double>* f) {
  Mat<double, 1, 6> G[2];
  row.jacobian(f, 0.0, G);
  double rate = 0.0;
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 3; ++k) rate += G[i][k] * f[i].v[k] + G[i][3 + k] * f[i].omega[k];
  return rate;
}

}  // namespace

JointCoordinates coordinates(const MarkedJoint& joint, const RigidBodyState& a, const RigidBodyState& b) {
  BodyFrame<double> f[2] = {frame_of(a), frame_of(b)};
  // From the first body, so that far places cancel before anything is rounded.
  f[1].x -= f[0].x;
  f[0].x = Vec3::Zero();
  const auto column = [](const Mat3& triad, int c) { return Vec3{{triad(0, c), triad(1, c), triad(2, c)}}; };
  const rows::AngleOf<double> angle{joint.triad_a, column(joint.triad_b, 0)};
  const rows::InPlane<double> along{joint.point_a, joint.point_b, {column(joint.triad_a, 2)}};
  return {.angle = angle.value(f),
          .angle_rate = rate_of(angle, f),
          .displacement = along.gap(f, 0.0)[0],
          .displacement_rate = rate_of(along, f)};
}

}  // namespace catena
