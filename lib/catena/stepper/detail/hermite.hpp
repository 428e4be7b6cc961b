// A step on the Lie group in between its ends.
#pragma once
#include <catena/system/system.hpp>

namespace catena::detail {

// What a step of size h took from q, v and v' to v and v', with xi: its increment in the chart at the first q.
struct StepEnds {
  double h;
  const double *q_before, *xi, *v_before, *v_after, *vdot_before, *vdot_after;
};

// q and v at theta in [0, 1] of the step: cubic Hermite interpolation, of the increment in the chart at the first q and
// of v with its derivatives; errors of order h^4. work: as many values as v.
void interpolate_on_group(const System& system, const StepEnds& step, double theta, double* work, double* q,
                          double* v);

// The local error of q by a method of order 1 or 2, to leading order: xi less the integral of its rate by Hermite's rule,
//     out = xi - h/2 (v_0 + T^-1 v_1) - h^2/12 (v'_0 - T^-1 v'_1),   T^-1 = T^-1(xi).
// The rule is wrong by h^5, and by h^4 where bodies turn: T^-1 v' is the second derivative of the increment but for
// [xi', v]/2, of order h^2. work, out: as many values as v.
void increment_error(const System& system, const StepEnds& step, double* work, double* out);

}  // namespace catena::detail
