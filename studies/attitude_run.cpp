#include <catena/assembly/multibody_system.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/runge_kutta_4.hpp>
#include <catena/studies/attitude_run.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace catena {

double angle_between(const Quat& a, const Quat& b) {
  const Quat d = conjugate(a) * b;
  return 2.0 * std::atan2(norm(d.vec()), std::abs(d.w));
}

AttitudeReference attitude_reference(Model model, double h, double end) {
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

AttitudeRun attitude_run(const System& angles, const AttitudeReference& reference,
                         LinearSolverFactory backend) {
  RungeKutta4 stepper(std::move(backend));
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
    double error = 0.0;
    const auto bodies = angles.bodies(x);
    for (std::size_t i = 0; i < bodies.size(); ++i)
      error = std::max(error, angle_between(bodies[i].orientation, expected[i]));
    run.errors.push_back(error);
    run.q.push_back(x.q);
    run.error = std::max(run.error, error);
    run.energy_error = std::max(
        run.energy_error, std::abs(angles.energy(x.t, x.q.data(), x.v.data()).total() - energy) / energy);
  }
  return run;
}

}  // namespace catena
