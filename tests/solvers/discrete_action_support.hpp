// Runs of discrete_action for its tests.
#pragma once
#include <catena/assembly/quaternion_system.hpp>
#include <catena/solvers/discrete_action.hpp>

#include "support/started_run.hpp"
#include "support/system_check.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace catena_test {

using namespace catena;

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

// ||A - A^T|| / ||A|| (Frobenius) of A = [h D2D1L, -C_k^T; -C_k+1, 0] for the step from q_k to q_k+1.
inline double newton_matrix_asymmetry(const QuaternionSystem& system, const std::vector<double>& before,
                                      const std::vector<double>& after, double h) {
  std::vector<double> middle(before.size()), rate(before.size());
  for (std::size_t k = 0; k < before.size(); ++k) {
    middle[k] = 0.5 * (before[k] + after[k]);
    rate[k] = (after[k] - before[k]) / h;
  }
  BlockMatrix matrix(system.layout().pattern, Border::separate);
  LagrangianTerms terms;
  terms.matrix = &matrix;
  terms.qq = 0.25 * h;
  terms.qv = 0.5;
  terms.vq = -0.5;
  terms.vv = -1.0 / h;
  system.evaluate_lagrangian(0.0, middle.data(), rate.data(), terms);
  Linearization lin;
  lin.matrix = &matrix;
  lin.rows_only = true;
  Evaluation wanted;
  wanted.linearization = &lin;
  Point at;
  at.q = before.data();
  system.evaluate(at, wanted);
  lin.keep_Bt = true;
  at.q = after.data();
  system.evaluate(at, wanted);
  const support::Dense A = support::dense(matrix);  // with +C: signs do not matter here
  double difference = 0.0, size = 0.0;
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < A.cols; ++j) {
      difference += (A(i, j) - A(j, i)) * (A(i, j) - A(j, i));
      size += A(i, j) * A(i, j);
    }
  return std::sqrt(difference / size);
}

}  // namespace catena_test
