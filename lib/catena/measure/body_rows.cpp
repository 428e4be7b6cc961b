#include <catena/assembly/detail/quaternion_algebra.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/measure/detail/body_rows.hpp>

#include <cmath>

namespace catena::detail {

BodyRows::BodyRows(const BodySystem& system)
    : system_(system), seven_(system.layout().q_size == system.layout().v_size()) {
  int block = 0;
  for (const Body& b : system.model().bodies()) block_of_body_.push_back(b.fixed ? -1 : block++);
}

RigidBodyState BodyRows::moving_body(int block, const double* all_q, const double* all_v) const {
  const double *q = all_q + 7 * block, *v = all_v + 7 * block;
  double six[6];
  if (!seven_) {
    system_.freedoms().expand(block, all_v, six);
    v = six;
  }
  const Quat e{q[3], q[4], q[5], q[6]};
  RigidBodyState body{{{q[0], q[1], q[2]}}, e, {{v[0], v[1], v[2]}}, {{v[3], v[4], v[5]}}};
  if (seven_) {
    body.orientation = normalized(e);
    body.angular_velocity = QuaternionRates<double>(quaternion_part(q), quaternion_part(v)).omega;
  }
  return body;
}

RigidBodyState BodyRows::body(BodyId id, const double* q, const double* v) const {
  if (id == ground) return {};
  const int number = static_cast<int>(id);
  if (const int block = block_of_body(number); block >= 0) return moving_body(block, q, v);
  const Body& b = system_.model().bodies()[index(number)];
  return {b.position, b.orientation, Vec3::Zero(), Vec3::Zero()};
}

const double* BodyRows::unit_poses(const double* q, std::vector<double>& work) const {
  if (!seven_) return q;
  work.assign(q, q + system_.layout().q_size);
  for (std::size_t k = 0; k < work.size(); k += 7) {
    const Quat e = normalized(Quat{work[k + 3], work[k + 4], work[k + 5], work[k + 6]});
    for (int i = 0; i < 4; ++i) work[k + 3 + index(i)] = i == 0 ? e.w : i == 1 ? e.x : i == 2 ? e.y : e.z;
  }
  return work.data();
}

double BodyRows::force_power(int force, const Point& at, double* size) const {
  const Model& model = system_.model();
  const Model::ElementRef& ref = model.forces()[index(force)];
  const ElementPool& pool = *model.pools()[index(ref.pool)];
  BodyFrame<double> frames[max_bodies_per_element];
  for (int i = 0; i < pool.bodies(); ++i) {
    const RigidBodyState b = body(pool.body(ref.element, i), at.q, at.v);
    frames[i] = {b.position, rotation_matrix(b.orientation), b.velocity, b.angular_velocity};
  }
  const int offset = system_.discrete_offset(ForceId{force});
  const double* values = offset < 0 || at.discrete == nullptr ? nullptr : at.discrete + offset;
  const ReactionOf read = pool.reaction_of(ref.element);
  const double* reaction = nullptr;
  if (read.rows > 0 && at.lambda != nullptr) {
    const BlockPattern& p = *system_.layout().pattern;
    reaction =
        at.lambda + (p.dual_offset[index(static_cast<int>(read.joint))] - p.primal_dimension + read.row);
  }
  if (size == nullptr) return pool.net_power(ref.element, frames, at.t, values, reaction);
  const PowerParts parts = pool.power(ref.element, frames, at.t, values, reaction);
  *size = std::abs(parts.of_wrenches) + std::abs(parts.of_potential);
  return parts.of_wrenches + parts.of_potential;
}

}  // namespace catena::detail
