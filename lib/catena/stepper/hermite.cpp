#include <catena/stepper/detail/hermite.hpp>

#include <cassert>

namespace catena::detail {

void interpolate_on_group(const System& system, const StepEnds& step, double theta, double* work, double* q,
                          double* v) {
  assert(step.h > 0.0 && "no step was taken last");
  const double s = theta, h = step.h;
  const double from = s * (1.0 - s) * (1.0 - s), to = s * s * (s - 1.0), end = s * s * (3.0 - 2.0 * s);
  const int n = system.layout().v_size();
  system.inverse_tangent(step.xi, step.v_after, work);
  for (int k = 0; k < n; ++k) {
    work[k] = end * step.xi[k] + h * (from * step.v_before[k] + to * work[k]);  // the increment up to s
    v[k] = (1.0 - end) * step.v_before[k] + end * step.v_after[k] +
           h * (from * step.vdot_before[k] + to * step.vdot_after[k]);
  }
  system.retract(step.q_before, work, q);
}

}  // namespace catena::detail
