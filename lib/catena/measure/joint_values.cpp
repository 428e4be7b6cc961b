#include <catena/math/detail/index.hpp>
#include <catena/measure/detail/reaction_meter.hpp>
#include <catena/measure/joint_values.hpp>
#include <catena/model/detail/no_such.hpp>
#include <catena/model/rows/locked.hpp>
#include <catena/system/detail/fit.hpp>

#include <stdexcept>
#include <string>
#include <vector>

namespace catena {
using namespace detail;
namespace {

void refuse(const std::string& misfit) {
  if (!misfit.empty()) throw std::invalid_argument(misfit);
}

void check(const BodySystem& system, const State& state, ConstraintId joint) {
  check_number("joint", static_cast<int>(joint), static_cast<int>(system.model().constraints().size()));
  refuse(misfit_of(system.layout(), state));
}

}  // namespace

std::span<const double> multipliers(const BodySystem& system, const State& state, ConstraintId joint) {
  check(system, state, joint);
  const BlockPattern& pattern = *system.layout().pattern;
  const auto dual = index(static_cast<int>(joint));
  return {state.lambda.data() + (pattern.dual_offset[dual] - pattern.primal_dimension),
          index(pattern.dual_size[dual])};
}

JointReaction reaction(const BodySystem& system, const State& state, ConstraintId joint) {
  check(system, state, joint);
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
  const std::optional<MarkedJoint> marked = marked_joint(system.model(), joint);
  if (!marked)
    throw std::invalid_argument(system.model().constraint_label(joint) +
                                " has no markers, and so no angle or displacement");
  return coordinates(*marked, pose(system, state, marked->body_a), pose(system, state, marked->body_b));
}

RigidBodyState pose(const BodySystem& system, const State& state, BodyId body) {
  if (body != ground) check_number("body", static_cast<int>(body), system.model().body_count());
  refuse(misfit_of_motion(system.layout(), state));
  return system.body_state(state, body);
}

}  // namespace catena
