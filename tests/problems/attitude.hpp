// Runs a mechanism in angles beside its twin in maximal coordinates and measures how far their attitudes part.
#pragma once
#include <catena/assembly/multibody_system.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/runge_kutta_4.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

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

// The attitudes of all bodies at every step end of a run in maximal coordinates.
struct AttitudeReference {
  double h = 0.0;
  std::vector<std::vector<Quat>> attitudes;  // of step 1, 2, ...
};

// Of order 5: with the same step its error is far below that of the runs that it is for.
inline AttitudeReference attitude_reference(Model model, double h, double end) {
  const MultibodySystem bodies(std::move(model));
  DormandPrince stepper({.control = DormandPrinceOptions::Control::fixed});
  State y = bodies.initial_state();
  AttitudeReference reference{h, {}};
  if (stepper.attach(bodies).status != Status::ok || stepper.start(y, h).status != Status::ok)
    return reference;
  const auto steps = std::lround(end / h);
  for (long k = 0; k < steps && stepper.step(y, h).status == Status::ok; ++k) {
    std::vector<Quat>& now = reference.attitudes.emplace_back();
    for (const RigidBodyState& body : bodies.bodies(y)) now.push_back(body.orientation);
  }
  return reference;
}

// A run by the classical Runge-Kutta method beside the reference, to its end or to a failure.
inline AttitudeRun attitude_run(const System& angles, const AttitudeReference& reference) {
  RungeKutta4 stepper;
  State x = angles.initial_state();
  AttitudeRun run;
  const auto failed = [&](const Outcome& outcome) {
    run.status = outcome.status;
    run.culprit = outcome.culprit.name;
    return outcome.status != Status::ok;
  };
  if (failed(stepper.attach(angles)) || failed(stepper.start(x, reference.h))) return run;
  const double energy = angles.energy(0.0, x.q.data(), x.v.data()).total();
  for (const std::vector<Quat>& expected : reference.attitudes) {
    const std::vector<double> mode = x.discrete;
    if (failed(stepper.step(x, reference.h))) break;
    run.t_end = x.t;
    run.switches += mode != x.discrete ? 1 : 0;
    const auto bodies = angles.bodies(x);
    for (std::size_t i = 0; i < bodies.size(); ++i)
      run.error = std::max(run.error, angle_between(bodies[i].orientation, expected[i]));
    run.energy_error = std::max(
        run.energy_error, std::abs(angles.energy(x.t, x.q.data(), x.v.data()).total() - energy) / energy);
  }
  return run;
}

}  // namespace catena::support
