// A linear solver that cannot take a stepper's matrices.
#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/solvers/alpha_rattle.hpp>
#include <catena/solvers/discrete_action.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/solvers/lie_dae.hpp>
#include <catena/solvers/runge_kutta_4.hpp>
#include <catena/sparse/backends/detail/cholmod.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <vector>

namespace backend_refusal_tests {

using namespace catena;
using namespace catena::detail;

TEST_CASE("the refusal of a linear solver is the message of the run, and nobody's name") {
  Model model;
  model.add(Body{.name = "free", .mass = 1.0});
  const MultibodySystem group(model);
  const QuaternionSystem coordinates(model);
  const LinearSolverFactory unwilling = make_cholmod_schur;  // it needs constraints
  std::vector<std::unique_ptr<Stepper>> steppers;
  steppers.push_back(std::make_unique<GeneralizedAlpha>(GeneralizedAlphaOptions{}, unwilling));
  steppers.push_back(std::make_unique<AlphaRattle>(AlphaRattleOptions{}, unwilling));
  steppers.push_back(std::make_unique<DiscreteAction>(DiscreteActionOptions{}, unwilling));
  steppers.push_back(std::make_unique<DormandPrince>(DormandPrince::Options{}, unwilling));
  steppers.push_back(std::make_unique<LieDae>(LieDaeOptions{}, unwilling));
  steppers.push_back(std::make_unique<RungeKutta4>(RungeKutta4Options{}, unwilling));
  for (const auto& stepper : steppers) {
    CAPTURE(stepper->traits().name);
    const bool plain = stepper->traits().coordinates == Coordinates::lagrangian;
    const System& system = plain ? static_cast<const System&>(coordinates) : group;
    State state = system.initial_state();
    const RunResult result = run(system, *stepper, state, {.step = 1e-3, .end = 1e-2});
    CHECK(result.status == Status::unsupported);
    CHECK(result.message.starts_with("cholmod_schur "));
    CHECK(result.culprit.name == "");
    CHECK(result.culprit.quantity == "");
    CHECK(result.steps == 0);
  }
}

}  // namespace backend_refusal_tests
