// Runs a mechanism in angles beside its twin in maximal coordinates and measures how far their attitudes part.
#pragma once
#include <catena/assembly/multibody_system.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/runge_kutta_4.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace catena::support {

struct AttitudeRun {
  double error = 0.0;  // largest angle between the attitudes of a body, over all step ends and bodies [rad]
  double energy_error = 0.0;  // largest relative one of the run in angles
  Status status = Status::ok;
  std::string culprit;  // of the run in angles
  double t_end = 0.0;
  int switches = 0;  // changes of the discrete state

  // What one would call a result: it ended, and is less than 0.1 rad wrong.
  bool useful() const { return status == Status::ok && error <= 0.1; }
};

// The angle by which two orientations differ, |2 vec(a* b)| for small ones.
inline double angle_between(const Quat& a, const Quat& b) {
  const Quat d = conjugate(a) * b;
  return 2.0 * std::atan2(norm(d.vec()), std::abs(d.w));
}

// A run by the classical Runge-Kutta method against one of order 5 in maximal coordinates with the same step, whose
// error is far below; both end at `end`, or where the first fails.
inline AttitudeRun attitude_run(const System& angles, Model model, double h, double end) {
  const MultibodySystem bodies(std::move(model));
  RungeKutta4 stepper;
  DormandPrince reference({.control = DormandPrinceOptions::Control::fixed});
  State x = angles.initial_state(), y = bodies.initial_state();
  AttitudeRun run;
  const auto failed = [&](const Outcome& outcome) {
    run.status = outcome.status;
    run.culprit = outcome.culprit.name;
    return outcome.status != Status::ok;
  };
  if (failed(stepper.attach(angles)) || failed(stepper.start(x, h))) return run;
  if (failed(reference.attach(bodies)) || failed(reference.start(y, h))) return run;
  const double energy = angles.energy(0.0, x.q.data(), x.v.data()).total();
  const auto steps = std::lround(end / h);
  for (long k = 0; k < steps; ++k) {
    const std::vector<double> mode = x.discrete;
    if (failed(stepper.step(x, h)) || failed(reference.step(y, h))) break;
    run.t_end = x.t;
    run.switches += mode != x.discrete ? 1 : 0;
    const auto a = angles.bodies(x), b = bodies.bodies(y);
    for (std::size_t i = 0; i < a.size(); ++i)
      run.error = std::max(run.error, angle_between(a[i].orientation, b[i].orientation));
    run.energy_error = std::max(
        run.energy_error, std::abs(angles.energy(x.t, x.q.data(), x.v.data()).total() - energy) / energy);
  }
  return run;
}

}  // namespace catena::support
