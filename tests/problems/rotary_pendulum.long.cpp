// The sampled controller of the rotary pendulum with every stepper: restarts at samples.
#include <catena/assembly/quaternion_system.hpp>
#include <catena/solvers/steppers.hpp>

#include "problems/rotary_pendulum_support.hpp"

using namespace catena::detail;

using namespace catena_test::rotary;

TEST_CASE("the sampled controller swings up and balances under every stepper, in both forms") {
  int runs = 0;
  for (const StepperEntry& entry : builtin_steppers())
    for (const auto coordinates : {minimal, maximal}) {
      CAPTURE(entry.name);
      CAPTURE(static_cast<int>(coordinates));
      const auto stepper = entry.setup()->make({}, {});
      std::unique_ptr<System> system = make(parameters(coordinates));
      if (coordinates == maximal && stepper->traits().coordinates == Coordinates::lagrangian)
        system = std::make_unique<QuaternionSystem>(RotaryPendulum(parameters(coordinates)).model());
      if (!stepper->refuses(*system).empty()) continue;
      Sampled controller(*system);
      Listeners listeners;
      listeners.controllers = {&controller};
      State state = system->initial_state();
      const RunResult result = run(*system, *stepper, state, {.step = 1e-3, .end = 8.0}, listeners);
      CHECK(result.status == Status::ok);
      CHECK(result.samples == 1601);
      const Vec3 centre = system->bodies(state)[1].position;
      CHECK(centre[2] >= RotaryPendulumConstants{}.l1 * (1.0 - 1e-6));
      ++runs;
    }
  CHECK(runs >= 10);
}
