// What generalized_alpha says of the quantities whose digits a problem knows, extrapolated to h = 0.
#pragma once
#include "solvers/generalized_alpha_support.hpp"

#include <string>

using namespace catena::detail;

namespace catena_test::alpha {

// The quantity that a reference speaks of.
inline Vector observed(const Problem& problem, const MultibodySystem& system, const State& state,
                       const Reference& reference) {
  int body = -1;
  Vec3 point = Vec3::Zero();
  for (const ObservedPoint& p : problem.observed_points())
    if (p.name == reference.subject) {
      body = p.body;
      point = p.point;
    }
  if (body < 0) body = static_cast<int>(system.model().find_body(reference.subject));
  const RigidBodyState b = system.bodies(state)[static_cast<std::size_t>(body)];
  const Mat3 R = rotation_matrix(b.orientation);
  if (reference.quantity == "quaternion")
    return {b.orientation.w, b.orientation.x, b.orientation.y, b.orientation.z};
  const Vec3 x = reference.quantity == "position [m]"
                     ? Vec3(b.position + R * point)
                     : Vec3(b.velocity + R * cross(b.angular_velocity, point));
  return {x[0], x[1], x[2]};
}

// Values of all references at t <= end, one behind the other, of one run.
inline Vector values_of_run(const Problem& problem, const MultibodySystem& system, double end, double h,
                            const Options& options) {
  Vector all;
  Run run(system, h, options);
  for (const Reference& r : problem.references()) {
    if (r.t > end) break;
    run.until(r.t);
    const Vector x = observed(problem, system, run.state, r);
    all.insert(all.end(), x.begin(), x.end());
  }
  return all;
}

// The error of generalized-alpha is c_2 h^2 + c_3 h^3 + c_4 h^4 + ...: measured, removing the orders 2, 3, 4, 5
// one by one gains four powers of two each time, whereas removing only even orders stalls at order 3.
inline Vector extrapolated(const Problem& problem, double end, double h, int levels, const Options& options) {
  const MultibodySystem system(problem.model());
  std::vector<Vector> table;
  for (int k = 0; k < levels; ++k)
    table.push_back(values_of_run(problem, system, end, h / std::pow(2.0, k), options));
  for (int order = 2; table.size() > 1; ++order) {
    const double gain = std::pow(2.0, order);
    for (std::size_t k = 0; k + 1 < table.size(); ++k)
      for (std::size_t i = 0; i < table[k].size(); ++i)
        table[k][i] = (gain * table[k + 1][i] - table[k][i]) / (gain - 1.0);
    table.pop_back();
  }
  return table.front();
}

// Nine correct digits of the largest component of every reference.
inline void check_nine_digits(const Problem& problem, double end, double h, int levels, Index index) {
  Options options;
  options.index = index;
  options.engine.newton_tolerance = 1e-13;
  const Vector x = extrapolated(problem, end, h, levels, options);
  std::size_t at = 0;
  for (const Reference& r : problem.references()) {
    if (r.t > end) break;
    CAPTURE(r.t);
    CAPTURE(r.quantity);
    CAPTURE(static_cast<int>(index));
    const double tolerance = 0.5e-9 * largest(r.value);
    for (const double known : r.value) CHECK(std::abs(x[at++] - known) < tolerance);
  }
  REQUIRE(at == x.size());
  REQUIRE(at > 0);
}

}  // namespace catena_test::alpha
