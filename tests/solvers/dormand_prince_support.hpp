// What the tests of dormand_prince share.
#pragma once
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/system/coordinate_system.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

namespace catena_test::explicit_rk {

using namespace catena;

inline DormandPrinceOptions fixed_step() { return {.control = DormandPrinceOptions::Control::fixed}; }
inline DormandPrinceOptions tolerance(double tol) {
  DormandPrinceOptions o;
  o.rtol_position = o.atol_position = o.rtol_velocity = o.atol_velocity = tol;
  return o;
}

inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double m = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) m = std::max(m, std::abs(a[k] - b[k]));
  return m;
}

// The state at the end of steps of h.
inline State end_state(const System& system, double h, int steps) {
  DormandPrince stepper(fixed_step());
  State state = system.initial_state();
  REQUIRE(stepper.attach(system).status == Status::ok);
  REQUIRE(stepper.start(state, h).status == Status::ok);
  for (int k = 0; k < steps; ++k) REQUIRE(stepper.step(state, h).status == Status::ok);
  return state;
}

struct Orders {
  double q = 0.0, v = 0.0, lambda = 0.0;
};

// log2 of the errors at h and h/2, against h/8; the distance of q is that of the group.
inline Orders measured_orders(const System& system, double h, int steps) {
  const State coarse = end_state(system, h, steps), fine = end_state(system, 0.5 * h, 2 * steps),
              best = end_state(system, 0.125 * h, 8 * steps);
  const auto distance = [&](const State& s) {
    std::vector<double> d(s.v.size());
    system.difference(best.q.data(), s.q.data(), d.data());
    return largest_difference(d, std::vector<double>(d.size()));
  };
  // The reference is off by 8^-5 of the coarse error: nothing beside the bounds of the tests.
  Orders o;
  o.q = std::log2(distance(coarse) / distance(fine));
  o.v = std::log2(largest_difference(coarse.v, best.v) / largest_difference(fine.v, best.v));
  if (!best.lambda.empty())
    o.lambda = std::log2(largest_difference(coarse.lambda, best.lambda) /
                         largest_difference(fine.lambda, best.lambda));
  return o;
}

// Largest rows of the constraints at a state.
struct Rows {
  double position = 0.0, velocity = 0.0, acceleration = 0.0;
};
inline Rows largest_rows(const System& system, const State& state) {
  const std::size_t m = state.lambda.size();
  std::vector<double> g(m), rate(m), second(m);
  Point at;
  at.t = state.t;
  at.q = state.q.data();
  at.v = state.v.data();
  at.a = state.a.data();
  at.discrete = state.discrete.data();
  Evaluation wanted;
  wanted.position = g.data();
  wanted.velocity = rate.data();
  wanted.acceleration = second.data();
  system.evaluate(at, wanted);
  const std::vector<double> zero(m);
  return {largest_difference(g, zero), largest_difference(rate, zero), largest_difference(second, zero)};
}

// The row (slope, -1) behind x = 1 and (0, -1) before it: a point on a road that rises there.
struct Road {
  static constexpr int coordinates = 2;
  static constexpr const char* name = "point";
  static constexpr std::array<const char*, 1> velocity_row_names{"road"};
  double slope;
  template <class S>
  Mat<S, 2, 2> mass(const Vec<S, 2>&) const {
    return Mat<S, 2, 2>::Identity();
  }
  template <class S>
  Vec<S, 2> force(const Vec<S, 2>&, const Vec<S, 2>&, const S&) const {
    return Vec<S, 2>::Zero();
  }
  template <class S>
  Mat<S, 1, 2> velocity_rows(const Vec<S, 2>& q, const S&) const {
    return {{q[0] > S(1.0) ? S(slope) : S(0.0), S(-1.0)}};
  }
};

}  // namespace catena_test::explicit_rk
