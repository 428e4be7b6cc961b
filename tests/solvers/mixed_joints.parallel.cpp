// Trees, loops and meshes with every kind of joint and one over three bodies carry the same bits for any number of
// threads: where chunks of bodies meet, who adds what in which order follows from the model alone.
#include <catena/assembly/multibody_system.hpp>
#include <catena/math/parts/threads.hpp>
#include <catena/solvers/generalized_alpha.hpp>

#include "support/few_cases.hpp"
#include "support/mixed_model.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace mixed_joints_parallel_tests {

namespace {

using namespace catena;
using test::Shape;

std::vector<State> trajectory(const Model& model, GeneralizedAlphaOptions::Newton newton, int threads) {
  const ThreadScope scope(threads);
  const MultibodySystem system(model);
  GeneralizedAlpha stepper({.newton = newton});
  State state = system.initial_state();
  REQUIRE(stepper.attach(system).status == Status::ok);
  REQUIRE(stepper.start(state, 1e-3).status == Status::ok);
  std::vector<State> states{state};
  for (int k = 0; k < (catena_test::few_cases ? 3 : 10); ++k) {
    const Outcome outcome = stepper.step(state, 1e-3);
    REQUIRE_MESSAGE(outcome.status == Status::ok, outcome.culprit.name, " ", outcome.culprit.quantity);
    states.push_back(state);
  }
  return states;
}

bool same(const std::vector<State>& a, const std::vector<State>& b) {
  for (std::size_t k = 0; k < a.size(); ++k)
    if (a[k].q != b[k].q || a[k].v != b[k].v || a[k].a != b[k].a || a[k].lambda != b[k].lambda ||
        a[k].memory != b[k].memory)
      return false;
  return a.size() == b.size();
}

}  // namespace

TEST_CASE(
    "chains, trees and meshes with every joint and a rope over three bodies: the same bits for 1, 2, "
    "4 threads") {
  for (const Shape shape : {Shape::chain, Shape::tree, Shape::mesh})
    for (const auto newton :
         {GeneralizedAlphaOptions::Newton::quasi, GeneralizedAlphaOptions::Newton::exact}) {
      if (catena_test::few_cases &&
          (shape == Shape::tree) != (newton == GeneralizedAlphaOptions::Newton::exact))
        continue;
      CAPTURE(static_cast<int>(shape));
      CAPTURE(static_cast<int>(newton));
      const Model model = test::mixed_model(shape, catena_test::few_cases ? 400 : 600);
      const auto one = trajectory(model, newton, 1);
      CHECK(same(one, trajectory(model, newton, 2)));
      CHECK(same(one, trajectory(model, newton, 4)));
    }
}

}  // namespace mixed_joints_parallel_tests
