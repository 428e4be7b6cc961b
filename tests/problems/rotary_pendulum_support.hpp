// What the tests of the rotary pendulum share.
#pragma once
#include <catena/problems/rotary_pendulum.hpp>

#include "solvers/dormand_prince_support.hpp"

using namespace catena::detail;

namespace catena_test::rotary {

using namespace catena_test::explicit_rk;

using Parameters = RotaryPendulumParameters;

inline Parameters parameters(Parameters::CoordinateChoice coordinates,
                             Parameters::Control control = Parameters::Control::none) {
  Parameters p;
  p.coordinates = coordinates;
  p.control = control;
  return p;
}
inline constexpr auto minimal = Parameters::CoordinateChoice::minimal,
                      maximal = Parameters::CoordinateChoice::maximal;

inline std::unique_ptr<System> make(const Parameters& p) {
  const RotaryPendulum problem(p);
  std::unique_ptr<System> system = problem.own_system();
  if (!system) system = std::make_unique<MultibodySystem>(problem.model());
  return system;
}

// The swing-up controller, sampled: its torque holds until the next sample. Keeps the largest torque.
class Sampled : public Controller {
 public:
  explicit Sampled(const System& system) : system_(system) {}
  std::string name() const override { return "swing-up"; }
  double period() const override { return 5e-3; }
  int memory_size() const override { return 1; }
  void sample(const State& state, double* values, double* memory) override {
    const auto body = system_.bodies(state);
    const auto frame = [&](std::size_t k) {
      return BodyFrame<double>{body[k].position, rotation_matrix(body[k].orientation), body[k].velocity,
                               body[k].angular_velocity};
    };
    values[0] = control_.torque(RotaryPendulumMotor::motion(frame(0), frame(1)));
    memory[0] = std::max(memory[0], std::abs(values[0]));
  }

 private:
  const System& system_;
  SwingUpControl control_{RotaryPendulumConstants{}};
};

}  // namespace catena_test::rotary
