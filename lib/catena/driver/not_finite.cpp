#include <catena/driver/detail/not_finite.hpp>
#include <catena/math/detail/finite.hpp>
#include <catena/math/detail/square.hpp>

#include <algorithm>

namespace catena::detail {
namespace {

bool all_have_squares(const std::vector<double>& x) { return all_below(x, square_limit); }

int first_without(const std::vector<double>& x) {
  return static_cast<int>(std::find_if_not(x.begin(), x.end(), has_square) - x.begin());
}

// Coordinates belong to nobody by the contract of a system; its bodies know theirs.
std::string owner_of_coordinate(const System& system, const State& state) {
  const std::vector<RigidBodyState> bodies = system.bodies(state);
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const RigidBodyState& b = bodies[k];
    const Quat& e = b.orientation;
    for (const double x : {b.position[0], b.position[1], b.position[2], e.w, e.x, e.y, e.z})
      if (!has_square(x)) return "body \"" + system.body_names()[k] + '"';
  }
  return {};
}

}  // namespace

std::string velocity_owner(const System& system, int component) {
  return system.velocity_block_name(system.layout().pattern->block_of(component));
}

std::optional<Culprit> without_square(const System& system, const State& state) {
  const BlockPattern& pattern = *system.layout().pattern;
  if (!all_have_squares(state.v)) {
    const int k = first_without(state.v);
    return Culprit{velocity_owner(system, k), "velocity", state.v[static_cast<std::size_t>(k)]};
  }
  if (!all_have_squares(state.q))
    return Culprit{owner_of_coordinate(system, state), "coordinate",
                   state.q[static_cast<std::size_t>(first_without(state.q))]};
  if (!all_have_squares(state.a)) {
    const int k = first_without(state.a);
    return Culprit{velocity_owner(system, k), "acceleration", state.a[static_cast<std::size_t>(k)]};
  }
  if (!all_have_squares(state.lambda)) {
    const int k = first_without(state.lambda);
    return Culprit{system.constraint_name(pattern.block_of(pattern.primal_dimension + k)), "multiplier",
                   state.lambda[static_cast<std::size_t>(k)]};
  }
  return {};
}

}  // namespace catena::detail
