#include <catena/assembly/multibody_system.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/studies/detail/rotary_pendulum_runs.hpp>
#include <catena/studies/detail/scenarios.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace catena::detail {
namespace {

BodyFrame<double> frame(const RigidBodyState& b) {
  return {b.position, rotation_matrix(b.orientation), b.velocity, b.angular_velocity};
}

RotaryPendulumMotion<double> measured(const System& system, const State& state) {
  const std::vector<RigidBodyState> bodies = system.bodies(state);
  return RotaryPendulumMotor::motion(frame(bodies[0]), frame(bodies[1]));
}

// The swing-up controller with a period.
class SampledSwingUp : public Controller {
 public:
  SampledSwingUp(const System& system, double period) : system_(system), period_(period) {}
  std::string name() const override { return "swing-up"; }
  double period() const override { return period_; }
  void sample(const State& state, double* values, double*) override {
    values[0] = control_.torque(measured(system_, state));
  }

 private:
  const System& system_;
  double period_;
  SwingUpControl control_{RotaryPendulumConstants{}};
};

// Derived quantities during the run: energy, momentum, a Lyapunov function that ends it.
class Watch : public Observer {
 public:
  Watch(const RotaryPendulumSystem& system, RotaryPendulumRun& run, double stop_below)
      : system_(system), run_(run), stop_below_(stop_below) {}
  bool observe(const State& state) override {
    const double energy = system_.system->energy(point_of(state)).total();
    if (first_) initial_energy_ = energy;
    first_ = false;
    run_.energy_error = std::max(run_.energy_error, std::abs(energy - initial_energy_));
    if (system_.minimal) {
      double p[2];
      system_.system->momentum(state.q.data(), state.v.data(), p);
      run_.momentum = std::max(run_.momentum, std::abs(p[0]));
    }
    return lyapunov_function(system_.motion(state)) > stop_below_;
  }

 private:
  const RotaryPendulumSystem& system_;
  RotaryPendulumRun& run_;
  double stop_below_, initial_energy_ = 0.0;
  bool first_ = true;
};

// Curves at the output instants.
class Curves : public Sink {
 public:
  Curves(const RotaryPendulumSystem& system, RotaryPendulumRun& run) : system_(system), run_(run) {}
  void accept(const State& state, const Outcome&) override {
    const Vec<double, 4> m = system_.motion(state);
    run_.t.push_back(state.t);
    run_.theta_0.push_back(m[0]);
    run_.theta_1.push_back(m[2]);
    run_.energy.push_back(system_.system->energy(point_of(state)).total());
    run_.lyapunov.push_back(lyapunov_function(m));
  }

 private:
  const RotaryPendulumSystem& system_;
  RotaryPendulumRun& run_;
};

}  // namespace

RotaryPendulumMethod dormand_prince_with(double tolerance) { return {"dormand_prince", {}, tolerance}; }

RotaryPendulumMethod dormand_prince_fixed() { return {"dormand_prince", {{"control", "fixed"}}}; }

RotaryPendulumSystem::RotaryPendulumSystem(const RotaryPendulumParameters& parameters) {
  scenario.problem = "rotary_pendulum";
  scenario.parameters = settings_of(parameters);
  const RotaryPendulum problem(parameters);
  system = problem.own_system();
  minimal = system != nullptr;
  if (!minimal) system = std::make_unique<MultibodySystem>(problem.model());
}

RotaryPendulumSystem::RotaryPendulumSystem(Model model)
    : scenario{.model = std::make_shared<Model>(model)},
      system(std::make_unique<MultibodySystem>(std::move(model))),
      minimal(false) {}

Vec<double, 4> RotaryPendulumSystem::motion(const State& state) const {
  if (minimal) return {{state.q[0], state.v[0], state.q[1], state.v[1]}};
  const RotaryPendulumMotion<double> m = measured(*system, state);
  const Mat3 arm = rotation_matrix(system->bodies(state)[0].orientation);
  return {{std::atan2(arm(1, 0), arm(0, 0)), m.rate_0, std::atan2(m.sin_1, m.cos_1), m.rate_1}};
}

double lyapunov_function(const Vec<double, 4>& m) {
  return 1.0 - std::cos(m[2]) + 1e-2 * (m[1] * m[1] + m[3] * m[3]);
}

RotaryPendulumRun run_rotary_pendulum(const RotaryPendulumSystem& system, const RotaryPendulumMethod& method,
                                      const RotaryPendulumTask& task) {
  RotaryPendulumRun out;
  Watch watch(system, out, task.stop_below);
  Curves curves(system, out);
  SampledSwingUp controller(*system.system, task.sampling);
  Listeners listeners;
  listeners.sinks = {&curves};
  listeners.observers = {&watch};
  listeners.events = task.events;
  if (task.sampling > 0.0) listeners.controllers = {&controller};
  Scenario scenario = system.scenario;
  scenario.stepper = method.stepper;
  scenario.options = method.options;
  scenario.tolerance = method.tolerance;
  scenario.step = task.step;
  scenario.end = task.end;
  scenario.every = 1;
  Record record = run(scenario, study_catalog(), {.listeners = listeners});
  out.result = std::move(record.report.run);
  out.statistics = record.report.statistics;
  out.state = std::move(record.state);
  out.motion = system.motion(out.state);
  return out;
}

}  // namespace catena::detail
