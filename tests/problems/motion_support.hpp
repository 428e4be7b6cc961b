// Runs of a problem by one stepper, its motion compared with an exact one at every step.
#pragma once
#include <catena/assembly/multibody_system.hpp>
#include <catena/problems/problem.hpp>
#include <catena/solvers/alpha_rattle.hpp>
#include <catena/solvers/generalized_alpha.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

namespace catena_test {

using namespace catena;
using namespace catena::detail;
using AlphaOptions = GeneralizedAlphaOptions;

inline std::unique_ptr<System> system_of(const Problem& problem) {
  std::unique_ptr<System> system = problem.own_system();
  if (!system) system = std::make_unique<MultibodySystem>(problem.model());
  return system;
}

// Newton well below what is measured.
inline AlphaOptions tight(AlphaOptions::Index index, double rho_inf = 0.8) {
  AlphaOptions o;
  o.rho_inf = rho_inf;
  o.index = index;
  o.newton = AlphaOptions::Newton::exact;
  o.engine.jacobian = JacobianUpdate::every_iteration;  // leaves roundoff in the rows
  o.engine.newton_tolerance = 1e-12;
  return o;
}

inline AlphaRattleOptions tight_rattle(double rho_inf = 0.8) {
  AlphaRattleOptions o;
  o.rho_inf = rho_inf;
  o.jacobian = AlphaRattleOptions::Jacobian::every_iteration;
  o.newton_tolerance = 1e-12;
  return o;
}

// see(state): called at the start and after every step.
inline State run_and_see(const System& system, Stepper& stepper, double h, double end,
                         const std::function<void(const State&)>& see = {}) {
  REQUIRE(stepper.refuses(system) == "");
  REQUIRE(stepper.attach(system).status == Status::ok);
  State state = system.initial_state();
  REQUIRE(stepper.start(state, h).status == Status::ok);
  if (see) see(state);
  for (long k = std::lround((end - state.t) / h); k > 0; --k) {
    const Outcome outcome = stepper.step(state, h);
    REQUIRE_MESSAGE(outcome.status == Status::ok, to_string(outcome.status), ": ", outcome.culprit.name, " ",
                    outcome.culprit.quantity);
    if (see) see(state);
  }
  return state;
}

inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double m = 0.0;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) m = std::max(m, std::abs(a[k] - b[k]));
  return m;
}
inline double largest_value(const std::vector<double>& a) {
  return largest_difference(a, std::vector<double>(a.size()));
}

// Position, quaternion, velocity, angular velocity of the bodies.
inline std::vector<double> motion_of(const System& system, const State& state) {
  std::vector<double> out;
  for (const RigidBodyState& b : system.bodies(state)) {
    out.insert(out.end(), b.position.e, b.position.e + 3);
    for (const double x : {b.orientation.w, b.orientation.x, b.orientation.y, b.orientation.z})
      out.push_back(x);
    out.insert(out.end(), b.velocity.e, b.velocity.e + 3);
    out.insert(out.end(), b.angular_velocity.e, b.angular_velocity.e + 3);
  }
  return out;
}

struct MotionErrors {
  double q = 0.0, v = 0.0, lambda = 0.0;  // largest over all steps
};
// h and h/2: the orders. Errors c h^2 (1 + O(h)).
inline MotionErrors orders(const MotionErrors& coarse, const MotionErrors& fine) {
  return {std::log2(coarse.q / fine.q), std::log2(coarse.v / fine.v), std::log2(coarse.lambda / fine.lambda)};
}

}  // namespace catena_test
