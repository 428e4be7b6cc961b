// Options set in C++ are held to the ranges that the command line enforces.
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/math/detail/option_range.hpp>
#include <catena/math/detail/passing_over.hpp>
#include <catena/problems/problems.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/solvers/steppers.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace option_range_tests {

using namespace catena;
using namespace catena::detail;

namespace {

// Pushes the k-th number beyond its range; counts them.
class Beyond : public PassingOver<> {
 public:
  int k = 0, count = 0;
  void real(const OptionInfo& i, double& value) override {
    if (count++ == k)
      value = std::isfinite(i.minimum) ? i.minimum - 1.0 : std::numeric_limits<double>::quiet_NaN();
  }
  void integer(const OptionInfo& i, int& value) override {
    if (count++ == k) value = static_cast<int>(i.minimum) - 1;
  }
};

std::unique_ptr<Problem> pendulum() {
  for (const ProblemEntry& p : builtin_problems())
    if (p.name == "simple_pendulum") return p.make();
  return nullptr;
}

}  // namespace

TEST_CASE("every stepper refuses every option beyond its range by name") {
  const MultibodySystem system(pendulum()->model());
  int numbers = 0;
  for (const StepperEntry& entry : builtin_steppers()) {
    Beyond beyond;
    beyond.k = -1;
    entry.setup()->visit(beyond);
    for (int k = 0; k < beyond.count; ++k, ++numbers) {
      const std::unique_ptr<StepperSetup> setup = entry.setup();
      Beyond one;
      one.k = k;
      setup->visit(one);
      INFO(entry.name << ", number " << k);
      const std::unique_ptr<Stepper> stepper = setup->make({}, {});
      const std::string refusal = stepper->refuses(system);
      CHECK(refusal.find("is out of range") != std::string::npos);
      // attach() alone is the gate: who steps without run() meets the same words
      const Outcome outcome = stepper->attach(system);
      CHECK(outcome.status == Status::unsupported);
      CHECK(outcome.culprit.name == refusal);
    }
  }
  CHECK(numbers > 20);
}

TEST_CASE("dormand_prince refuses what no step could satisfy") {
  const MultibodySystem system(pendulum()->model());
  CHECK(DormandPrince({.max_step = 1e-300}).attach(system).culprit.name.find("max_step") !=
        std::string::npos);
  CHECK(DormandPrince({.max_step = 1e-300}).refuses(system).find("max_step") != std::string::npos);
  CHECK(DormandPrince({.rtol_velocity = 0.0, .atol_velocity = 0.0}).refuses(system).find("rtol") !=
        std::string::npos);
  CHECK(DormandPrince().refuses(system).empty());
}

TEST_CASE("a run with an option beyond its range ends before its first step") {
  const MultibodySystem system(pendulum()->model());
  State state = system.initial_state();
  GeneralizedAlpha stepper({.rho_inf = -1.0});
  const RunResult result = run(system, stepper, state, {.step = 1e-3, .end = 1e-2});
  CHECK(result.status == Status::unsupported);
  CHECK(result.message.find("option rho_inf = -1") != std::string::npos);
  CHECK(out_of_range(GeneralizedAlphaOptions{}).empty());
}

}  // namespace option_range_tests
