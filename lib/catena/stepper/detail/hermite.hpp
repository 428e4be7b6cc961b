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

}  // namespace catena::detail
