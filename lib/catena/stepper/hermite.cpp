#include <catena/math/detail/add_multiple.hpp>
#include <catena/stepper/detail/hermite.hpp>

#include <algorithm>
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

void increment_error(const System& system, const StepEnds& step, double* work, double* out) {
  const double of_v = step.h / 2.0, of_vdot = step.h * step.h / 12.0;
  const int n = system.layout().v_size();
  std::copy(step.xi, step.xi + n, out);
  add_multiple(-of_v, step.v_before, n, out);
  add_multiple(-of_vdot, step.vdot_before, n, out);
  system.inverse_tangent(step.xi, step.v_after, work);
  add_multiple(-of_v, work, n, out);
  system.inverse_tangent(step.xi, step.vdot_after, work);
  add_multiple(of_vdot, work, n, out);
}

}  // namespace catena::detail
