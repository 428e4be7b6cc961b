#include <catena/math/detail/index.hpp>
#include <catena/measure/detail/open_reactions.hpp>
#include <catena/measure/detail/reaction_meter.hpp>
#include <catena/measure/parts/joint_coordinates.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace catena::detail {
namespace {

// The axes in which the reaction of a joint is stated; empty: the world's.
std::optional<Mat3> axes_of(const BodySystem& system, const State& state, int constraint) {
  const std::optional<MarkedJoint> joint = marked_joint(system.model(), ConstraintId{constraint});
  if (!joint || !joint->has_axis) return std::nullopt;
  return rotation_matrix(system.body_state(state, joint->body_a).orientation) * joint->triad_a;
}

Vec3 along(const std::optional<Mat3>& axes, const double* world) {
  const Vec3 x{{world[0], world[1], world[2]}};
  return axes ? Vec3(transpose_times(*axes, x)) : x;
}

}  // namespace

void find_open_reactions(const BodySystem& system, const State& state, Redundancy& redundancy) {
  if (redundancy.null_vectors.empty()) return;
  constexpr double part = 1e-6;  // null vectors are exact to 2e-7 of their length (sparse/detail/rank.hpp)
  ReactionMeter meter(system);
  const std::vector<ReactionSide>& sides = meter.sides();
  double length = 0.0;  // compares torques with forces
  for (const double scale : system.layout().scale) length = std::max(length, scale);
  std::vector<Redundancy::Open> found(index(system.layout().pattern->dual_count()));
  std::vector<std::optional<Mat3>> axes;
  for (const ReactionSide& side : sides) axes.push_back(axes_of(system, state, side.constraint));
  std::vector<double> wrench(6 * sides.size());
  for (const std::vector<double>& multipliers : redundancy.null_vectors) {
    meter(state.t, state.q.data(), multipliers.data(), state.discrete.data(), wrench.data());
    double largest = 0.0;
    for (std::size_t k = 0; k < wrench.size(); ++k)
      largest = std::max(largest, std::abs(wrench[k]) / (k % 6 < 3 ? 1.0 : length));
    for (std::size_t s = 0; s < sides.size(); ++s) {
      const Vec3 force = along(axes[s], &wrench[6 * s]), torque = along(axes[s], &wrench[6 * s + 3]);
      for (int k = 0; k < 3; ++k) {
        Redundancy::Open& open = found[index(sides[s].constraint)];
        open.joint_axes = axes[s].has_value();
        open.force[k] = open.force[k] || std::abs(force[k]) > part * largest;
        open.torque[k] = open.torque[k] || std::abs(torque[k]) > part * length * largest;
      }
    }
  }
  const auto any = [](const bool* axis) { return axis[0] || axis[1] || axis[2]; };
  for (std::size_t d = 0; d < found.size(); ++d) {
    if (!any(found[d].force) && !any(found[d].torque)) continue;
    found[d].constraint = static_cast<int>(d);
    found[d].name = system.constraint_name(static_cast<int>(d));
    redundancy.open.push_back(std::move(found[d]));
  }
}

}  // namespace catena::detail
