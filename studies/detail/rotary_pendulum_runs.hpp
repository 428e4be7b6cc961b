// Runs of the rotary pendulum that study E speaks of.
#pragma once
#include <catena/driver/run.hpp>
#include <catena/experiment/scenario.hpp>
#include <catena/model/model.hpp>
#include <catena/problems/rotary_pendulum.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace catena::detail {

struct RotaryPendulumMethod {
  std::string stepper;
  Settings options = {};
  std::optional<double> tolerance = {};
};

// dormand_prince with one tolerance for everything, and with a fixed step.
RotaryPendulumMethod dormand_prince_with(double tolerance);
RotaryPendulumMethod dormand_prince_fixed();

// The system of these parameters; angles of its states.
struct RotaryPendulumSystem {
  explicit RotaryPendulumSystem(const RotaryPendulumParameters& parameters);
  // In maximal coordinates, of a model that was changed.
  explicit RotaryPendulumSystem(Model model);

  // theta_0, theta_1 from their sines and cosines, in (-pi, pi], and their rates.
  Vec<double, 4> motion(const State& state) const;

  Scenario scenario;               // problem and parameters, or the model
  std::unique_ptr<System> system;  // the same, for observers
  bool minimal = true;
};

// What a run came to.
struct RotaryPendulumRun {
  RunResult result;
  StepperStatistics statistics;
  State state;
  Vec<double, 4> motion = {};  // at the end
  double energy_error = 0.0;   // [J] largest |H - H(0)|
  double momentum = 0.0;       // [kg m^2/s] largest |p_theta0|, minimal coordinates only
  // At the output instants.
  std::vector<double> t, theta_0, theta_1, energy, lyapunov;
};

struct RotaryPendulumTask {
  double step = 0.01, end = 10.0;  // [s]
  double sampling = 0.0;           // [s] period of the sampled swing-up controller; 0: none
  std::vector<Event> events = {};
  double stop_below = -1.0;  // an observer ends the run where the Lyapunov function falls below; < 0: never
};

// 1 - cos(theta_1) plus a hundredth of the squares of the rates: zero where the pendulum is upright and at rest.
double lyapunov_function(const Vec<double, 4>& motion);

RotaryPendulumRun run_rotary_pendulum(const RotaryPendulumSystem& system, const RotaryPendulumMethod& method,
                                      const RotaryPendulumTask& task);

}  // namespace catena::detail
