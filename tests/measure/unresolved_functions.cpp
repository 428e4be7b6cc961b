// The remark on functions of the time that are faster than the steps.
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/measure/joint_values.hpp>
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/generalized_alpha.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace unresolved_functions_tests {
using namespace catena;

// A free body of 2 kg under a force of 10 N along x that the function multiplies.
struct Shaken {
  RunResult result = {};
  double x = 0.0;

  Shaken(const Function& factor, Stepper& stepper, double step) {
    Model model;
    const BodyId body = model.add(Body{.name = "b", .mass = 2.0, .inertia = Mat3::Identity()});
    model.add(
        VaryingForce{.bodies = {body}, .force = {{10.0, 0.0, 0.0}}, .factor = factor, .name = "shaker"});
    const MultibodySystem system(std::move(model));
    State state = system.initial_state();
    result = run(system, stepper, state, {.step = step, .end = 1.0}, {});
    x = pose(system, state, body).position[0];
  }
  const Remark* remark() const {
    const auto found = std::find_if(result.remarks.begin(), result.remarks.end(),
                                    [](const Remark& r) { return r.key == RemarkKey::coarse_steps; });
    return found == result.remarks.end() ? nullptr : &*found;
  }
};

const functions::Sine shaking{.amplitude = 1.0, .frequency = 50.0, .phase = 1.5707963267948966};

}  // namespace unresolved_functions_tests
using namespace unresolved_functions_tests;

TEST_CASE("steps as long as the period of a force take it for a constant one, and the run says so") {
  GeneralizedAlpha stepper;
  const Shaken aliased(shaking, stepper, 0.02);
  REQUIRE(aliased.result.status == Status::ok);
  CHECK(aliased.x == doctest::Approx(2.5));  // right is 0: whole periods
  REQUIRE(aliased.remark() != nullptr);
  CHECK(aliased.remark()->culprit.name == "force \"shaker\" (varying_force)");
  CHECK(aliased.remark()->culprit.value == doctest::Approx(1.0));
  CHECK(aliased.remark()->text.starts_with("force \"shaker\" (varying_force): its factor repeats at 50 Hz"));
  CHECK(aliased.remark()->text.ends_with("take steps below 0.005 s"));

  GeneralizedAlpha finer;
  const Shaken resolved(shaking, finer, 0.0025);
  CHECK(std::abs(resolved.x) < 1e-4);
  CHECK(resolved.remark() == nullptr);
}

TEST_CASE("a bump of a table within one step is said; ramps, jumps and bumps of many steps are not") {
  const auto table = [](std::vector<double> t, std::vector<double> y) {
    return functions::Table{.x = std::move(t), .y = std::move(y), .spline = functions::Spline::linear};
  };
  const functions::Table pulse = table({0.0, 0.3001, 0.3002, 0.3003, 1.0}, {0.0, 0.0, 40.0, 0.0, 0.0});
  GeneralizedAlpha stepper;
  const Shaken passed(pulse, stepper, 0.01);
  REQUIRE(passed.result.status == Status::ok);
  CHECK(passed.x == doctest::Approx(0.0));  // right is 0.014
  REQUIRE(passed.remark() != nullptr);
  CHECK(passed.remark()->culprit.name == "force \"shaker\" (varying_force)");
  CHECK(passed.remark()->culprit.value == doctest::Approx(40.0));
  CHECK(
      passed.remark()->text.starts_with("force \"shaker\" (varying_force): its factor is 40 at t = 0.3002 s, "
                                        "and a step of 0.01 s passes over"));
  CHECK(passed.remark()->text.find("take steps below 3.9e-05 s") != std::string::npos);

  GeneralizedAlpha quiet;
  for (const functions::Table& seen : {table({0.0, 0.3001, 0.3002, 1.0}, {0.0, 0.0, 40.0, 40.0}),
                                       table({0.0, 0.2, 0.5, 1.0}, {0.0, 0.0, 3.0, 0.0}),
                                       table({0.0, 0.2, 0.245, 0.29, 1.0}, {0.0, 0.0, 3.0, 0.0, 0.0}),
                                       table({0.0, 0.5, 1.0}, {2.0, 2.0, 2.0})})
    CHECK(Shaken(seen, quiet, 0.01).remark() == nullptr);
  DormandPrince chooses;
  const Shaken met(pulse, chooses, 0.01);
  CHECK(met.remark() == nullptr);
  CHECK(met.x == doctest::Approx(10.0 / 2.0 * 40.0 * 1e-4 * 0.6998).epsilon(1e-3));
}

TEST_CASE("steps that a method chooses may pass over whole periods too, or resolve them") {
  GeneralizedAlpha stepper({.engine = {.max_newton_iterations = 12, .tolerance = 1e-4}});
  const Shaken aliased(shaking, stepper, 0.02);
  REQUIRE(aliased.result.chosen_steps);
  CHECK(aliased.x == doctest::Approx(2.5));
  REQUIRE(aliased.remark() != nullptr);
  CHECK(aliased.remark()->text.ends_with("take steps below 0.005 s, by max_step"));

  GeneralizedAlpha bounded({.engine = {.max_newton_iterations = 12, .tolerance = 1e-4, .max_step = 0.004}});
  const Shaken resolved(shaking, bounded, 0.02);
  CHECK(std::abs(resolved.x) < 1e-3);
  CHECK(resolved.remark() == nullptr);

  DormandPrince explicit_one;
  const Shaken followed(shaking, explicit_one, 0.02);
  CHECK(std::abs(followed.x) < 1e-6);
  CHECK(followed.remark() == nullptr);
}

TEST_CASE("what a run does not reach, or does not move anything, is no reason for a remark") {
  GeneralizedAlpha stepper;
  functions::Sine nothing = shaking;
  nothing.amplitude = 0.0;
  CHECK(Shaken(nothing, stepper, 0.02).remark() == nullptr);
  // 9 Hz at the end of the run, 80 Hz behind it.
  const functions::Chirp rising{.amplitude = 1.0, .frequency = 1.0, .end_frequency = 81.0, .duration = 10.0};
  CHECK(Shaken(rising, stepper, 0.02).remark() == nullptr);
  CHECK(Shaken(rising, stepper, 0.03).remark() != nullptr);
}
