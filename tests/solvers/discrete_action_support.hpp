// Runs of discrete_action for its tests.
#pragma once
#include <catena/assembly/quaternion_system.hpp>
#include <catena/solvers/discrete_action.hpp>
#include <catena/studies/detail/discrete_action_runs.hpp>

#include "support/started_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace catena_test {

using namespace catena;
using catena::detail::box_chain_study::newton_matrix_asymmetry;

using Run = StartedRun<DiscreteAction, DiscreteActionOptions>;

// Total angular momentum about the origin and linear momentum, world frame.
struct Momentum {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
};
inline Momentum momentum(const QuaternionSystem& system, const State& state) {
  Momentum total;
  const auto bodies = system.bodies(state);
  for (int k = 0; k < static_cast<int>(bodies.size()); ++k) {
    const RigidBodyState& b = bodies[static_cast<std::size_t>(k)];
    const Body& body = system.model().body(BodyId{k});
    const Vec3 p = body.mass * b.velocity;
    total.linear += p;
    total.angular +=
        cross(b.position, p) + rotation_matrix(b.orientation) * (body.inertia * b.angular_velocity);
  }
  return total;
}

}  // namespace catena_test
