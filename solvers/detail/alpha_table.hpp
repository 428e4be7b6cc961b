// The table that Newmark's method, that of Hilber, Hughes and Taylor, and generalized-alpha share.
//
//     xi = h (v_n + h ((1/2 - beta) a_n + beta a_{n+1})),   v_{n+1} = v_n + h ((1 - gamma) a_n + gamma a_{n+1})
//     (1 - alpha_m) a_{n+1} + alpha_m a_n = (1 - alpha_f) v'_{n+1} + alpha_f v'_n,   u = a_{n+1}
#pragma once
#include <catena/solvers/detail/alpha_coefficients.hpp>
#include <catena/stepper/implicit/parts/implicit_method.hpp>

namespace catena::detail {

// theta_of_start: a_0 = theta a_1 + (1 - theta) v'_0 is solved for with the first step; 0: a_0 is in its slot.
inline StepTable alpha_table(const AlphaCoefficients& c, double theta_of_start, const StepSizes& s) {
  const double h = s.h, ratio = s.h / s.h_before, to = 1.0 / (1.0 - c.alpha_f);
  const double theta = s.first ? theta_of_start : 0.0;
  const TableRow &v = last_velocity, &vdot = last_acceleration, &u = unknown;
  // a_n represents v' at t_n + (alpha_m - alpha_f) h: another h, another instant.
  TableRow a = vdot + ratio * (slot(0) - vdot);
  if (theta != 0.0) a = theta * u + (1.0 - theta) * vdot;
  StepTable t;
  t.increment = h * v + h * h * ((0.5 - c.beta) * a + c.beta * u);
  t.velocity = v + h * ((1.0 - c.gamma) * a + c.gamma * u);
  t.acceleration = to * ((1.0 - c.alpha_m) * u + c.alpha_m * a - c.alpha_f * vdot);
  t.next = {u, a};
  t.guess = (theta != 0.0 ? vdot : a) + ratio * (slot(0) - slot(1));
  t.has_guess = true;
  return t;
}

// a_0 represents v' at t_0 + (alpha_m - alpha_f) h. a_{-1} = a_0: Newton begins the first step at a_0.
inline StartRows alpha_start(const AlphaCoefficients& c, double h) {
  const StartRow a{.acceleration = 1.0, .jerk = c.alpha() * h};
  return {{a, a}};
}

inline ImplicitMethod alpha_method(const Traits& traits, int index, const AlphaCoefficients& c,
                                   double theta_of_start = 0.0) {
  ImplicitMethod m;
  m.traits = traits;
  m.index = index;
  m.slots = {"a", "a before"};
  m.table = [c, theta_of_start](const StepSizes& s) { return alpha_table(c, theta_of_start, s); };
  m.start = [c](double h) { return alpha_start(c, h); };
  m.guards = usual_guards(index, traits.order_q);
  return m;
}

}  // namespace catena::detail
