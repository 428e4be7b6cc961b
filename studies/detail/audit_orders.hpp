// What runs of several step sizes or tolerances say of the order of a method.
#pragma once
#include <catena/studies/detail/audit_run.hpp>

#include <array>
#include <vector>

namespace catena::detail::audit_detail {

constexpr int levels = 3;  // of step sizes: h, h/2, h/4
using Levels = std::array<Trace, levels>;

// Of steppers that control their error, in place of step sizes; the run with the last one replaces the solution.
constexpr std::array<double, 6> control_tolerances{1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-11};
using ByTolerance = std::array<Trace, control_tolerances.size()>;
// The runs of these take the place of three step sizes where two of them are compared.
constexpr std::array<std::size_t, levels> control_levels{0, 2, 4};
constexpr double tolerance_ratio = 100.0;

// Largest distance of two runs over their common instants after the start.
double apart(const Trace& one, const Trace& other, Vector Sample::*part);
double size_of(const Trace& trace, Vector Sample::*part);
// Largest distance from the start.
double motion(const Trace& trace, Vector Sample::*part);

// Of the end of the second run, |y_h - y_{h/2}|/(1 - 1/ratio): an error shrinks by the ratio from level to level.
struct Estimates {
  double q = 0.0, v = 0.0, lambda = 0.0;
};
Estimates richardson(const Levels& traces, double ratio_q, double ratio_v, double ratio_lambda);

// error = constant * tolerance^exponent by least squares over the runs that took enough steps for the tolerance, not the
// length of the run, to say how long they were, and whose errors are above the floor.
struct Proportion {
  double exponent = 0.0;
  int runs = 0;       // with less than three of them there is no exponent
  int long_runs = 0;  // those with enough steps
};
constexpr int fewest_steps = 2 * samples_of_high_order;
Proportion proportion(const ByTolerance& traces, Vector Sample::*part, double floor);

}  // namespace catena::detail::audit_detail
