#include <catena/assembly/joint_values.hpp>
#include <catena/assembly/reaction_meter.hpp>
#include <catena/math/index.hpp>
#include <catena/model/rows/locked.hpp>

#include <cmath>
#include <stdexcept>
#include <vector>

namespace catena {

std::span<const double> multipliers(const BodySystem& system, const State& state, ConstraintId joint) {
  const BlockPattern& pattern = *system.layout().pattern;
  const auto dual = index(static_cast<int>(joint));
  return {state.lambda.data() + (pattern.dual_offset[dual] - pattern.primal_dimension),
          index(pattern.dual_size[dual])};
}

JointReaction reaction(const BodySystem& system, const State& state, ConstraintId joint) {
  ReactionMeter meter(system);
  std::vector<double> wrench(6 * meter.sides().size());
  meter(state.t, state.q.data(), state.lambda.data(), state.discrete.data(), wrench.data());
  JointReaction out;
  for (std::size_t s = 0; s < meter.sides().size(); ++s) {
    const ReactionSide& side = meter.sides()[s];
    if (side.constraint != static_cast<int>(joint)) continue;
    const RigidBodyState body = pose(system, state, side.body);
    out.body = side.body;
    out.point = body.position + rotation_matrix(body.orientation) * side.point;
    for (int k = 0; k < 3; ++k) {
      out.force[k] = wrench[6 * s + index(k)];
      out.torque[k] = wrench[6 * s + index(3 + k)];
    }
    break;  // the second body comes first among the sides of a constraint
  }
  return out;
}

JointCoordinates coordinate(const BodySystem& system, const State& state, ConstraintId joint) {
  const Model& model = system.model();
  const Model::ElementRef& ref = model.constraints()[index(static_cast<int>(joint))];
  const ElementPool& pool = *model.pools()[index(ref.pool)];
  rows::Markers m;
  if (!pool.markers(ref.element, m))
    throw std::invalid_argument(model.constraint_label(joint) +
                                " has no markers, and so no angle or displacement");
  const RigidBodyState a = pose(system, state, pool.body(ref.element, 0)),
                       b = pose(system, state, pool.body(ref.element, 1));
  const Mat3 A = rotation_matrix(a.orientation) * rows::triad(m.axis_a, m.side_a),
             B = rotation_matrix(b.orientation) * rows::triad(m.axis_b, m.side_b);
  const Vec3 side = transpose_times(A, Vec3{{B(0, 0), B(1, 0), B(2, 0)}});
  const Vec3 way = (b.position - a.position) +
                   (rotation_matrix(b.orientation) * m.point_b - rotation_matrix(a.orientation) * m.point_a);
  return {std::atan2(side[1], side[0]), transpose_times(A, way)[2]};
}

RigidBodyState pose(const BodySystem& system, const State& state, BodyId body) {
  if (body == ground) return {};
  return system.bodies(state)[index(static_cast<int>(body))];
}

}  // namespace catena
