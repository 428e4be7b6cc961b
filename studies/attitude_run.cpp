#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/detail/each_state.hpp>
#include <catena/driver/run.hpp>
#include <catena/solvers/runge_kutta_4.hpp>
#include <catena/studies/detail/attitude_run.hpp>
#include <catena/studies/detail/scenarios.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace catena::detail {

double angle_between(const Quat& a, const Quat& b) {
  const Quat d = conjugate(a) * b;
  return 2.0 * std::atan2(norm(d.vec()), std::abs(d.w));
}

AttitudeReference attitude_reference(Model model, double h, double end) {
  const MultibodySystem bodies(model);
  AttitudeReference reference{h, {}};
  EachState keep([&](const State& state) {
    if (state.t == 0.0) return;
    std::vector<Quat>& now = reference.attitudes.emplace_back();
    for (const RigidBodyState& body : bodies.bodies(state)) now.push_back(body.orientation);
  });
  const Scenario scenario{.model = std::make_shared<Model>(std::move(model)),
                          .stepper = "dormand_prince",
                          .options = {{"control", "fixed"}},
                          .step = h,
                          .end = end,
                          .max_cuts = 0};
  run(scenario, study_catalog(), {.listeners = {.observers = {&keep}}});
  return reference;
}

AttitudeRun attitude_run(const System& angles, const AttitudeReference& reference,
                         LinearSolverFactory backend) {
  RungeKutta4 stepper({}, std::move(backend));
  State x = angles.initial_state();
  AttitudeRun run;
  std::vector<double> mode;
  double energy = 0.0;
  EachState compare([&](const State& now) {
    const double present = angles.energy(point_of(now)).total();
    if (now.t == 0.0) {
      mode = now.discrete;
      energy = present;
      return;
    }
    run.t_end = now.t;
    run.switches += mode != now.discrete ? 1 : 0;
    mode = now.discrete;
    double error = 0.0;
    const auto bodies = angles.bodies(now);
    const std::vector<Quat>& expected = reference.attitudes[run.errors.size()];
    for (std::size_t i = 0; i < bodies.size(); ++i)
      error = std::max(error, angle_between(bodies[i].orientation, expected[i]));
    run.errors.push_back(error);
    run.q.push_back(now.q);
    run.error = std::max(run.error, error);
    run.energy_error = std::max(run.energy_error, std::abs(present - energy) / energy);
  });
  const double end = reference.h * static_cast<double>(reference.attitudes.size());
  const RunResult result = catena::run(angles, stepper, x, {.step = reference.h, .end = end, .max_cuts = 0},
                                       Listeners{.observers = {&compare}});
  run.status = result.reason();
  run.culprit = result.culprit.name;
  return run;
}

}  // namespace catena::detail
